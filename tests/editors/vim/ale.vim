" The scenario in Vim with ALE, beside gopls.
let g:ale_hover_to_preview = 1
let g:ale_set_balloons = 0

" The entry of ALE's list that has a text.
function! Entry(text) abort
  let l:list = get(get(g:ale_buffer_info, bufnr('user.go'), {}), 'loclist', [])
  let l:found = filter(copy(l:list), {_, e -> stridx(e.text, a:text) >= 0})
  return get(l:found, 0, {})
endfunction

" Choose a code action by its title, as a user does by its number.
runtime autoload/ale/util.vim
function! ale#util#Input(message, value) abort
  for l:line in split(a:message, "\n")
    if stridx(l:line, g:test_title) >= 0
      return matchstr(l:line, '^\d\+')
    endif
  endfor
  " ALE asks once for each server; empty cancels.
  return ''
endfunction

try
  edit user.go
  write
  let s:moved = TestWait('the message', {-> Entry('moved to heap: u')})
  call TestEqual([9, 2, 'escapelens'], [s:moved.lnum, s:moved.col, s:moved.linter_name], 'its place')
  call TestEqual(20, Entry('&User{...} escapes').lnum, 'the line of the message behind Greek')

  call cursor(9, 2)
  ALEHover
  call TestWait('the hover', {-> filter(range(1, winnr('$')), {_, w -> getwinvar(w, '&previewwindow')})})
  wincmd P
  let s:hover = TestWait('the words of the hover', {-> search('moved to heap: u', 'nw') ? getline(1, '$') : []})
  pclose

  let g:test_title = 'Hide Moved to Heap'
  call cursor(9, 2)
  ALECodeAction
  call TestWait('the message to go', {-> empty(Entry('moved to heap: u'))})
  call TestEqual(20, Entry('&User{...} escapes').lnum, 'the others stay')

  call append('$', 'var broken int = missing')
  write
  let s:error = TestWait('the build error', {-> Entry('does not build')})
  call TestEqual([37, 'E'], [s:error.lnum, s:error.type], 'its place and type')
catch
  call TestFail(v:throwpoint . ': ' . v:exception)
endtry
qall!
