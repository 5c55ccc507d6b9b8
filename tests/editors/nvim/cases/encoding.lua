-- The place is the same when the two sides agree on another unit.
return function(t)
  vim.lsp.config('escapelens', {
    capabilities = { general = { positionEncodings = { 'utf-8' } } },
  })
  t.open_sample()
  t.equal('utf-8', t.clients()[1].offset_encoding, 'the encoding')
  local namespace = vim.api.nvim_get_namespaces().escapelens
  local mark = vim.api.nvim_buf_get_extmarks(0, namespace, { 19, 0 }, { 19, -1 }, {})[1]
  t.equal(26, mark[3], 'the byte column of &User{…}, behind Greek')
end
