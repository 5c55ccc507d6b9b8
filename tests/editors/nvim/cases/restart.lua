-- `restart` brings a new server to the same buffers; `stop` ends it and removes the marks.
return function(t)
  t.open_sample()
  local first = t.clients()[1].id
  vim.cmd('EscapeLens restart')
  t.wait('the old server to go', function()
    return vim.lsp.get_client_by_id(first) == nil
  end)
  t.wait('the new server', function()
    return #t.clients({ bufnr = 0 }) == 1
  end)
  t.save()
  t.becomes(t.sample_signs, t.signs, 'the marks')
  t.equal(1, #t.clients(), 'servers')

  vim.cmd('EscapeLens stop')
  t.becomes({}, t.clients, 'the server to go')
  t.becomes({}, t.signs, 'the marks to go')
  vim.cmd.edit('other.go')
  t.equal(false, vim.lsp.is_enabled('escapelens'), 'enabled')

  vim.cmd('EscapeLens restart')
  t.wait('a server again', function()
    return #t.clients({ bufnr = 0 }) == 1
  end)
end
