" What the tests in Vim share. A failure ends Vim with status 1, its reason goes to the file $ESCAPELENS_SAID.
set nocompatible encoding=utf-8 noswapfile nomore hidden
filetype plugin on

function! TestFail(reason) abort
  call writefile(split(a:reason, "\n") + ['messages:'] + split(execute('messages'), "\n"), $ESCAPELENS_SAID)
  cquit!
endfunction

" Wait until a funcref gives something that is true, and return it.
function! TestWait(what, Condition) abort
  for l:_ in range(1200)
    let l:found = a:Condition()
    if !empty(l:found)
      return l:found
    endif
    sleep 50m
  endfor
  call TestFail('waited in vain for ' . a:what)
endfunction

function! TestEqual(expected, actual, what) abort
  if a:expected !=# a:actual
    call TestFail(printf("%s\nexpected: %s\nactual: %s", a:what, string(a:expected), string(a:actual)))
  endif
endfunction
