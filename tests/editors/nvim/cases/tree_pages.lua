-- A node has at most 500 children, then the rest on demand; a large tree starts closed.
return function(t)
  local lines = { 'package sample', '' }
  for index = 1, 600 do
    table.insert(lines, ('func f%d() *int { x := 1; return &x }'):format(index))
  end
  vim.fn.writefile(lines, 'many.go')
  t.open('many.go')
  t.save()
  t.becomes(600, function()
    return #t.signs()
  end, 'a mark in each line')
  vim.cmd('EscapeLens tree file type')
  t.becomes({ '▸ Moved to Heap 600' }, t.lines, 'closed')
  vim.cmd.normal('zo')
  t.becomes(502, function()
    return #t.lines()
  end, 'a page of children')
  t.equal('    … 100 more', t.lines()[502], 'the rest')
  vim.cmd.normal('G')
  vim.cmd.normal(t.keys('<CR>'))
  t.becomes(601, function()
    return #t.lines()
  end, 'all children')
  vim.cmd.normal('gg')
  vim.cmd.normal('zc')
  t.becomes({ '▸ Moved to Heap 600' }, t.lines, 'closed again')
end
