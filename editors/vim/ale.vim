" EscapeLens with ALE, beside gopls. Into your vimrc, after ALE is on 'runtimepath'.
call ale#linter#Define('go', {
\   'name': 'escapelens',
\   'lsp': 'stdio',
\   'executable': 'escapelens',
\   'command': '%e lsp',
\   'project_root': {b -> fnamemodify(ale#path#FindNearestFile(b, 'go.mod') ?? expand('#' . b . ':p'), ':h')},
\   'initialization_options': {'run': 'onSave'},
\})
let g:ale_linters = extend(get(g:, 'ale_linters', {}), {'go': ['gopls', 'escapelens']})
