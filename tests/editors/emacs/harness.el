;;; harness.el --- what the tests in Emacs share  -*- lexical-binding: t; no-byte-compile: t -*-

(require 'cl-lib)
;; What a start with a screen does by itself.
(package-initialize)

(defun test-wait (what condition)
  "Wait until CONDITION gives something; return it.  WHAT is said if it never does."
  (let ((deadline (+ (float-time) 60)) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) deadline)
        (error "Waited in vain for %s" what))
      ;; In batch mode nobody is there to end a command.
      (run-hooks 'post-command-hook)
      (accept-process-output nil 0.05))
    found))

(defun test-check (what value)
  "Fail unless VALUE holds; WHAT says what it is."
  (unless value
    (error "Not so: %s" what)))

(defun test-choose (wanted thunk)
  "Call THUNK while the first choice that contains WANTED is taken, as a user would."
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt collection &rest _)
               (let ((titles (all-completions "" collection)))
                 (or (cl-find-if (lambda (title) (string-match-p (regexp-quote wanted) title)) titles)
                     (error "No choice %s in %s" wanted titles))))))
    ;; As after a key: after a mouse click there would be a menu.
    (let ((last-nonmenu-event ?x))
      (funcall thunk))))

(defun test-go (text)
  "Go to the first TEXT in the buffer."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(setq make-backup-files nil
      create-lockfiles nil)
