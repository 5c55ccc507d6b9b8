-- A file outside every module is analysed too.
return function(t)
  vim.uv.fs_unlink('go.mod')
  t.open('other.go')
  t.save()
  t.becomes({ '5 ● EscapeLensMoved', '6 ◆ EscapeLensEscape' }, t.signs, 'the marks')
end
