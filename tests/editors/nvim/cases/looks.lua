-- What the user sees, typing in a real terminal: signs, words behind lines, the tree, the filter, a comparison.
return function(t)
  local folder = vim.fs.dirname(vim.fs.dirname(vim.env.ESCAPELENS_CASE))
  vim.fn.writefile({
    'set number tabstop=4 winborder=rounded noruler noshowcmd shortmess+=FW',
    "set statusline=%t\\ %{get(b:,'escapelens_status','')}",
    -- The time of a run is another each time.
    [[lua os.date = function() return '12:00:00' end]],
  }, 'look.vim')
  local terminal = t.terminal({ '-u', vim.fs.joinpath(folder, 'init.lua'), '-S', 'look.vim', 'user.go' })
  terminal.shows('● 1 ◆ 2 ◇ 3')

  terminal.type(':EscapeLens show eol<CR>')
  terminal.looks('eol')
  terminal.type(':EscapeLens show none<CR>')
  terminal.type(':EscapeLens tree<CR>')
  terminal.looks('tree')
  terminal.type('f')
  terminal.looks('filter')
  terminal.type('jx')
  terminal.shows('● 1 ◇ 3')
  terminal.looks('filtered')
  terminal.type('xqq')

  terminal.type('9Gccu := User{Name: name + "!"}<Esc>:w<CR>')
  terminal.shows('●2')
  terminal.type(':EscapeLens compare<CR>')
  terminal.looks('compare')
  terminal.type(':qa!<CR>')
  t.equal(0, terminal.ended(), 'the exit status')
end
