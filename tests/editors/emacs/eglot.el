;;; eglot.el --- the scenario in Emacs with eglot  -*- lexical-binding: t; no-byte-compile: t -*-

(require 'eglot)
(require 'flymake)
(require 'go-mode)

(defun found (text)
  "The diagnostic of the buffer that contains TEXT."
  (flymake-start)
  (cl-find-if (lambda (d) (string-match-p (regexp-quote text) (flymake-diagnostic-text d)))
              (flymake-diagnostics)))

(find-file "user.go")
(test-wait "the server" #'eglot-managed-p)
(save-buffer)
(let ((moved (test-wait "the message" (lambda () (found "moved to heap: u")))))
  (test-check "it stands at u"
              (equal "u" (buffer-substring (flymake-diagnostic-beg moved) (flymake-diagnostic-end moved)))))
(let ((behind (test-wait "the message behind Greek" (lambda () (found "&User{...} escapes")))))
  (test-check "it stands at the literal"
              (equal "&User{Name: \"κόσμε\"}"
                     (buffer-substring (flymake-diagnostic-beg behind) (flymake-diagnostic-end behind)))))

(test-go "u := User")
(let (hover)
  (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover text)))
  (test-wait "the hover" (lambda () hover))
  (test-check "it says what" (string-match-p "moved to heap: u" hover)))

(defun act (title)
  "Run the code action with TITLE at point."
  (test-choose title (lambda () (call-interactively #'eglot-code-actions))))

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
