;;; lsp-mode.el --- EscapeLens with lsp-mode, beside gopls  -*- lexical-binding: t -*-

(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("escapelens" "lsp"))
                    :activation-fn (lsp-activate-on "go")
                    :server-id 'escapelens
                    :add-on? t
                    :notification-handlers (ht ("escapelens/status" #'ignore))
                    :initialization-options '(:run "onSave"))))
(add-hook 'go-mode-hook #'lsp-deferred)
