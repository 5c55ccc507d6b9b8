-- `qf` lists the package's messages with their places, in every file.
return function(t)
  t.open_sample()
  vim.cmd('EscapeLens qf')
  t.wait('the quickfix window', function()
    return vim.bo.buftype == 'quickfix'
  end)
  local list = vim.fn.getqflist({ items = true, title = true })
  t.equal('EscapeLens: package', list.title, 'title')
  local entries = vim.tbl_map(function(item)
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr))
    return ('%s:%d:%d: %s'):format(name, item.lnum, item.col, item.text)
  end, list.items)
  t.equal(8, #entries, table.concat(entries, '\n'))
  t.equal('other.go:5:2: moved to heap: n', entries[1], 'the first')
  t.equal('user.go:20:27: &User{...} escapes to heap', entries[7], 'behind Greek')

  vim.cmd.wincmd('p')
  vim.cmd('EscapeLens qf file')
  t.becomes(6, function()
    return #vim.fn.getqflist()
  end, 'the messages of the file')
end
