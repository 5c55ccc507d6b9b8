-- A line with several messages has their number behind the sign of the strongest.
return function(t)
  vim.fn.writefile({
    'package sample',
    '',
    'var all []*int',
    '',
    'func Two() {',
    '\tall = append(all, new(int), new(int))',
    '}',
    '',
    'func Many() {',
    '\tall = []*int{new(int), new(int), new(int), new(int), new(int), new(int), new(int), new(int), new(int)}',
    '}',
  }, 'counts.go')
  t.open('counts.go')
  vim.cmd('EscapeLens filter escape')
  t.save()
  -- The compiler's words: two new(int) and what append makes; nine new(int) and the literal.
  t.becomes({ '6 ◆3 EscapeLensEscape', '10 ◆+ EscapeLensEscape' }, t.signs, 'signs with counts')

  -- A sign of two cells has no room for one.
  vim.g.escapelens = { signs = { escape = 'EE' } }
  vim.cmd('EscapeLens show')
  t.becomes({ '6 EE EscapeLensEscape', '10 EE EscapeLensEscape' }, t.signs, 'signs without counts')
end
