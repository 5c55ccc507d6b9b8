-- A filter changes what is shown at once, without a save.
return function(t)
  t.open_sample()
  vim.cmd('EscapeLens filter moved')
  t.becomes({ '9 ● EscapeLensMoved' }, t.signs, 'moved alone')
  vim.cmd('EscapeLens filter leak escape moved')
  t.becomes(t.sample_signs, t.signs, 'three types again')

  -- A buffer that is in no window catches up when it comes back into one.
  local source = vim.api.nvim_get_current_buf()
  t.open('other.go')
  vim.cmd('EscapeLens filter moved')
  t.becomes({ '5 ● EscapeLensMoved' }, t.signs, 'moved alone, in the other file')
  vim.cmd.buffer(source)
  t.becomes({ '9 ● EscapeLensMoved' }, t.signs, 'moved alone, back in the first')
  vim.cmd('EscapeLens filter leak escape moved')
  t.becomes(t.sample_signs, t.signs, 'three types once more')

  -- Without types they are chosen in a window, whose boxes hold at once.
  vim.cmd('EscapeLens filter')
  local function boxes()
    return vim.api.nvim_buf_get_lines(0, 0, -1, false)
  end
  t.becomes('[x] ● Moved to Heap        2', function()
    return boxes()[1]
  end, 'the count of the package')
  t.equal('[ ] » Can Inline', boxes()[4]:match('^(.-)%s+%d+$'), 'a type that is not shown')
  vim.cmd.normal(t.keys('x'))
  t.equal('[ ] ● Moved to Heap        2', boxes()[1], 'the first, toggled')
  vim.cmd.normal(t.keys('jj<Space>'))
  vim.cmd.normal('q')
  t.becomes({ '15 ◆ EscapeLensEscape', '20 ◆ EscapeLensEscape' }, t.signs, 'escape alone')
  vim.cmd('EscapeLens filter')
  vim.cmd.normal('a')
  vim.cmd.normal(t.keys('<Esc>'))
  t.wait('the marks of all types', function()
    return #t.signs() > #t.sample_signs
  end)
end
