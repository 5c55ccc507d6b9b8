-- Settings of the client's reach the server; the looks are the user's.
return function(t)
  vim.g.escapelens = { signs = { moved = 'M' } }
  vim.lsp.config('escapelens', { settings = { escapelens = { show = { 'moved' } } } })
  t.open('user.go')
  t.save()
  t.becomes({ '9 M EscapeLensMoved' }, t.signs, 'moved alone')
  local sent = {}
  local config = vim.lsp.config.escapelens
  config.before_init(sent, config)
  t.equal({ diagnostics = 'off', show = { 'moved' } }, sent.initializationOptions, 'at the start')
  t.equal('off', t.clients()[1].settings.escapelens.diagnostics, 'the default stays')
end
