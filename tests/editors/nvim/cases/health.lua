-- `:checkhealth` has nothing to complain about, and says so when the server is missing.
return function(t)
  local function report()
    vim.cmd('checkhealth escapelens')
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
  t.open_sample()
  local text = report()
  for _, bad in ipairs({ 'ERROR', 'WARNING' }) do
    t.equal(nil, text:find(bad, 1, true), text)
  end
  t.contains(text, 'doctor')
  t.contains(text, 'go version go1.')
  t.contains(text, 'position encoding utf-16')
  t.contains(text, 'root ')

  vim.lsp.config('escapelens', { cmd = { 'no-such-escapelens', 'lsp' } })
  local broken = report()
  t.contains(broken, 'ERROR "no-such-escapelens" was not found')
  t.contains(broken, 'pip install escapelens')

  vim.lsp.config('escapelens', { settings = { escapelens = { go = { path = 'no-such-go' } } } })
  local goless = report()
  t.contains(goless, 'ERROR "no-such-go" was not found')
  t.contains(goless, 'Install Go')

  local has = vim.fn.has
  vim.fn.has = function(feature)
    return feature == 'nvim-0.11' and 0 or has(feature)
  end
  local old = report()
  t.contains(old, 'is too old')
  t.contains(old, 'Use Neovim 0.11 or later.')
end
