-- The hover tells the flow.
return function(t)
  t.open_sample()
  vim.api.nvim_win_set_cursor(0, { 9, 1 })
  vim.lsp.buf.hover()
  local text = t.float()
  t.contains(text, 'moved to heap: u')
  t.contains(text, 'user.go:10:9')
  t.contains(text, 'its address is taken')
end
