-- Open, save: one sign a line, by the strongest type, at the value's place.
return function(t)
  t.open_sample()
  local namespace = vim.api.nvim_get_namespaces().escapelens
  local mark = vim.api.nvim_buf_get_extmarks(0, namespace, { 19, 0 }, { 19, -1 }, {})[1]
  t.equal(26, mark[3], 'the byte column of &User{…}, behind Greek')
  t.equal({}, vim.diagnostic.get(nil), 'no diagnostics beside the marks')

  -- The package was analysed as a whole: its other file has marks without being saved.
  vim.cmd.edit('other.go')
  t.becomes({ '5 ● EscapeLensMoved', '6 ◆ EscapeLensEscape' }, t.signs, 'the marks of other.go')
end
