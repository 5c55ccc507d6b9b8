;;; lsp-mode.el --- the scenario in Emacs with lsp-mode, beside gopls  -*- lexical-binding: t; no-byte-compile: t -*-

(require 'lsp-mode)
(require 'flymake)
(require 'go-mode)
(setq lsp-auto-guess-root t
      lsp-restart 'ignore
      lsp-diagnostics-provider :flymake
      lsp-enable-snippet nil)

(defun found (text)
  "The diagnostic of the buffer that contains TEXT."
  (flymake-start)
  (cl-find-if (lambda (d) (string-match-p (regexp-quote text) (flymake-diagnostic-text d)))
              (flymake-diagnostics)))

(defun server-ids ()
  "The servers of the buffer that are initialized."
  (cl-loop for workspace in (lsp-workspaces)
           when (eq 'initialized (lsp--workspace-status workspace))
           collect (lsp--client-server-id (lsp--workspace-client workspace))))

(find-file "user.go")
;; In batch mode Emacs is never idle: do what lsp-deferred does then.
(test-check "the configuration asks for it" (memq #'lsp-deferred go-mode-hook))
(lsp)
(test-wait "both servers" (lambda () (and (memq 'escapelens (server-ids)) (memq 'gopls (server-ids)))))
(save-buffer)
(let ((moved (test-wait "the message" (lambda () (found "moved to heap: u")))))
  (test-check "it stands at u"
              (equal "u" (buffer-substring (flymake-diagnostic-beg moved) (flymake-diagnostic-end moved)))))
(let ((behind (test-wait "the message behind Greek" (lambda () (found "&User{...} escapes")))))
  (test-check "it stands at the literal"
              (equal "&User{Name: \"κόσμε\"}"
                     (buffer-substring (flymake-diagnostic-beg behind) (flymake-diagnostic-end behind)))))

(test-go "u := User")
(defun hover ()
  "What both servers say at point."
  (let ((found (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
    (and found (lsp--render-on-hover-content (gethash "contents" found) t))))
(let ((text (test-wait "the hovers of both"
                       (lambda ()
                         (let ((text (hover)))
                           (and text (string-match-p "var u User" text) text))))))
  (test-check "ours is one of them" (string-match-p "moved to heap: u" text)))

(defun act (title)
  "Run the code action with TITLE at point."
  (test-choose title (lambda () (call-interactively #'lsp-execute-code-action))))

(act "Hide Moved to Heap")
(test-wait "the message to go" (lambda () (not (found "moved to heap: u"))))
(test-check "the others stay" (found "&User{...} escapes"))

(goto-char (point-max))
(insert "var broken int = missing\n")
(save-buffer)
(test-wait "the build error"
           (lambda ()
             (let ((error (found "does not build")))
               (and error (string-match-p "missing" (flymake-diagnostic-text error))))))
