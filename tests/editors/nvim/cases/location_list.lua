-- `loc` lists the messages of the window's file in its location list.
return function(t)
  t.open_sample()
  local window = vim.api.nvim_get_current_win()
  vim.cmd('EscapeLens loc')
  t.wait('the list', function()
    return vim.bo.buftype == 'quickfix'
  end)
  local list = vim.fn.getloclist(window, { items = true, title = true })
  t.equal('EscapeLens: file', list.title, 'title')
  t.equal(6, #list.items, 'entries')
  t.equal({}, vim.fn.getqflist(), 'the quickfix list is left alone')
  vim.cmd('3')
  vim.cmd.normal(t.keys('<CR>'))
  t.equal(14, vim.api.nvim_win_get_cursor(window)[1], 'the third entry')
end
