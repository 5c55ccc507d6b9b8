-- `explain` opens the same in a floating window, wherever the cursor's encoding puts it.
return function(t)
  t.open_sample()
  vim.api.nvim_win_set_cursor(0, { 20, 26 })
  vim.cmd('EscapeLens explain')
  local text = t.float()
  t.contains(text, '&User{...} escapes to heap')
end
