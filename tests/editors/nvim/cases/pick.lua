-- Without Telescope, snacks and fzf-lua, `pick` is `vim.ui.select`.
return function(t)
  t.open_sample()
  local offered = {}
  vim.ui.select = function(items, options, on_choice)
    offered = vim.tbl_map(options.format_item, items)
    on_choice(items[1])
  end
  vim.cmd('EscapeLens pick')
  t.wait('the list', function()
    return #offered > 0
  end)
  t.equal(8, #offered, 'messages of the package')
  t.equal('user.go:20:27: &User{...} escapes to heap', offered[7], 'an entry')
  t.equal('other.go', vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'the file of the choice')
  t.equal({ 5, 1 }, vim.api.nvim_win_get_cursor(0), 'its place')
end
