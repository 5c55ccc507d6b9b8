-- Three styles: none (the default), words behind the line, the server's hints behind the values.
return function(t)
  t.open_sample()
  t.equal({}, t.virtual_text(), 'none by default')

  vim.cmd('EscapeLens show eol')
  t.becomes({
    '8: ◇ leaking param: name',
    '9: ● moved to heap: u',
    '14: ◇ leaking param content: names',
    '15: ◆ append escapes to heap',
    '20: ◆ &User{...} escapes to heap',
    '23: ◇ leaking param: u',
  }, t.virtual_text, 'words behind the lines')

  vim.cmd('EscapeLens show inline')
  t.wait('the hints', function()
    local words = table.concat(t.virtual_text(), '\n')
    return words ~= '' and not words:find('leaking param', 1, true)
  end)
  vim.cmd('EscapeLens hide')
  t.equal({}, t.virtual_text(), 'hidden')
  vim.cmd('EscapeLens show')
  t.wait('the hints again', function()
    return #t.virtual_text() > 0
  end)
  vim.cmd('EscapeLens show none')
  t.becomes({}, t.virtual_text, 'none again')

  -- Neovim's own hints would be the same twice.
  vim.lsp.inlay_hint.enable(true)
  local answered = false
  require('escapelens.client').messages(t.clients()[1], 0, 'file', function()
    answered = true
  end)
  t.wait('whatever was asked before to be answered', function()
    return answered
  end)
  t.equal({}, vim.lsp.inlay_hint.get({ bufnr = 0 }), 'no hints of Neovim')
end
