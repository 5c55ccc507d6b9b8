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

;; The question is asked after the action's answer, in the minibuffer.
(test-choose "Show Moved to Heap"
             (lambda ()
               (let ((ask (symbol-function 'completing-read)) (first t))
                 (cl-letf (((symbol-function 'completing-read)
                            (lambda (prompt collection &rest more)
                              (if (not first)
                                  (apply ask prompt collection more)
                                (setq first nil)
                                (car (all-completions "Choose the message types" collection))))))
                   (call-interactively #'eglot-code-actions)
                   (test-wait "the message to come back" (lambda () (found "moved to heap: u")))))))

;; This client opens no documents for a server: a message says where the text is.
(act "Explain: moved to heap: u")
(let ((file (test-wait "the message that names the file"
                       (lambda ()
                         (with-current-buffer (messages-buffer)
                           (goto-char (point-max))
                           (and (re-search-backward "The text is in \\(.*explain\\.md\\) until" nil t)
                                (match-string 1)))))))
  (with-temp-buffer
    (insert-file-contents file)
    (test-check "it explains" (search-forward "moved to heap: u" nil t))))

(goto-char (point-max))
(insert "var broken int = missing\n")
(save-buffer)
(test-wait "the build error"
           (lambda ()
             (let ((error (found "does not build")))
               (and error (string-match-p "missing" (flymake-diagnostic-text error))))))
