" EscapeLens with vim-lsp, beside gopls. Into your vimrc.
augroup escapelens
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
  \   'name': 'escapelens',
  \   'cmd': ['escapelens', 'lsp'],
  \   'allowlist': ['go'],
  \   'root_uri': {_ -> lsp#utils#path_to_uri(
  \     lsp#utils#find_nearest_parent_file_directory(lsp#utils#get_buffer_path(), ['go.work', 'go.mod']))},
  \   'initialization_options': {'run': 'onSave'},
  \ })
augroup END
