-- `raw` opens the compiler's own text in a buffer that cannot be changed or saved.
return function(t)
  t.open_sample()
  local source = vim.api.nvim_get_current_buf()
  vim.cmd('EscapeLens raw')
  t.wait('the raw text', function()
    return vim.api.nvim_get_current_buf() ~= source
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  t.contains(text, 'u escapes to heap')
  t.contains(text, 'from &u (address-of)')
  t.equal('nofile', vim.bo.buftype, 'buftype')
  t.equal(false, vim.bo.modifiable, 'modifiable')
  t.equal('', vim.bo.filetype, 'no filetype, thus no client')

  -- A place in it is a jump away, in the source's window, wherever the editor's folder is.
  vim.cmd.cd('/')
  vim.fn.search('user.go:20:27')
  vim.cmd.normal(t.keys('<CR>'))
  t.equal(source, vim.api.nvim_get_current_buf(), 'the source')
  t.equal({ 20, 26 }, vim.api.nvim_win_get_cursor(0), 'the place, in bytes')
  vim.cmd('EscapeLens raw')
  t.wait('the raw text from the source', function()
    return vim.api.nvim_get_current_buf() ~= source
  end)
  vim.cmd('1')
  vim.cmd.normal(t.keys('<CR>'))
  t.equal('EscapeLens: no place in a file here', t.notices[#t.notices], 'no place')

  -- Asked again, from the source, the same window shows it.
  local raw = vim.api.nvim_get_current_buf()
  vim.cmd.wincmd('p')
  vim.cmd('EscapeLens raw')
  t.wait('the raw text again', function()
    return vim.api.nvim_get_current_buf() == raw
  end)
  t.equal(2, #vim.api.nvim_list_wins(), 'windows')

  -- A closed one is opened anew.
  vim.cmd.close()
  vim.cmd('EscapeLens raw')
  t.wait('the raw text for the third time', function()
    return vim.api.nvim_get_current_buf() ~= source
  end)
end
