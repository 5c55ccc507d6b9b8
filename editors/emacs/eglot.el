;;; eglot.el --- EscapeLens with eglot  -*- lexical-binding: t -*-

;; eglot runs one server a buffer: this one takes the place of gopls. README.md has the way around.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((go-mode go-ts-mode) . ("escapelens" "lsp"))))
(add-hook 'go-mode-hook #'eglot-ensure)
(add-hook 'go-ts-mode-hook #'eglot-ensure)
(setq-default eglot-workspace-configuration
              '(:escapelens (:run "onSave")))
