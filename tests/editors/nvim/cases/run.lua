-- `run` analyses without a save and says how it went.
return function(t)
  vim.lsp.config('escapelens', { settings = { escapelens = { run = 'manual' } } })
  t.open('user.go')
  t.save()
  vim.cmd('EscapeLens run package')
  t.becomes(t.sample_signs, t.signs, 'the marks')
  t.wait('the result', function()
    return #t.notices == 1
  end)
  t.equal('EscapeLens: ', t.notices[1]:match('^EscapeLens: '), t.notices[1])
  t.contains(t.notices[1], 'messages')

  -- A file that is opened after the analysis shows what is known, without another.
  local source = vim.api.nvim_get_current_buf()
  t.open('other.go')
  t.becomes({ '5 ● EscapeLensMoved', '6 ◆ EscapeLensEscape' }, t.signs, 'the marks of other.go')
  vim.cmd.buffer(source)

  -- The same goes for a client that comes back to a buffer.
  local client = t.clients()[1].id
  vim.lsp.buf_detach_client(source, client)
  t.becomes({}, t.signs, 'the marks to go with the client')
  vim.lsp.buf_attach_client(source, client)
  t.becomes(t.sample_signs, t.signs, 'the marks to come back with it')

  local last = vim.api.nvim_buf_line_count(0)
  t.edit(last + 1, last, { 'var broken int = missing' })
  t.save()
  vim.cmd('EscapeLens run')
  t.wait('the second result', function()
    return #t.notices == 2
  end)
  t.contains(t.notices[2], 'analysis failed')
end
