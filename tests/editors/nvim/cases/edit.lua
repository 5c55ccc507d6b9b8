-- Marks move with the text and are pale until the next result; on a changed line they vanish.
return function(t)
  t.open_sample()
  t.edit(7, 6, { '// Another line.' })
  t.becomes({
    '9 ◇ EscapeLensStale',
    '10 ● EscapeLensStale',
    '15 ◇ EscapeLensStale',
    '16 ◆ EscapeLensStale',
    '21 ◆ EscapeLensStale',
    '24 ◇ EscapeLensStale',
  }, t.signs, 'marks one line down')

  t.edit(10, 10, { '\tu := User{Name: name + "!"}' })
  t.becomes({
    '9 ◇ EscapeLensStale',
    '15 ◇ EscapeLensStale',
    '16 ◆ EscapeLensStale',
    '21 ◆ EscapeLensStale',
    '24 ◇ EscapeLensStale',
  }, t.signs, 'the changed line to lose its mark')

  t.edit(21, 21, {})
  t.equal({
    '9 ◇ EscapeLensStale',
    '15 ◇ EscapeLensStale',
    '16 ◆ EscapeLensStale',
    '23 ◇ EscapeLensStale',
  }, t.signs(), 'a deleted line takes its mark along at once')

  vim.api.nvim_win_set_cursor(0, { 16, 0 })
  vim.cmd('EscapeLens next')
  t.equal(23, vim.api.nvim_win_get_cursor(0)[1], 'nor is it jumped to')

  t.save()
  t.becomes({
    -- The longer string is a second value of that line.
    '10 ●2 EscapeLensMoved',
    '15 ◇ EscapeLensLeak',
    '16 ◆ EscapeLensEscape',
    '23 ◇ EscapeLensLeak',
  }, t.signs, 'the marks of the new text')

  -- An answer that an edit has overtaken is not drawn: its places are those of the old text.
  require('escapelens.marks').refresh(0)
  t.edit(1, 0, { '// The first line.' })
  local first = {}
  t.wait('the marks one line down', function()
    first[t.signs()[1]] = true
    return first['11 ●2 EscapeLensStale']
  end)
  t.equal(nil, first['10 ●2 EscapeLensMoved'], 'a mark at its old place')
end
