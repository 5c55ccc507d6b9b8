-- More messages than a page holds.
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
end
