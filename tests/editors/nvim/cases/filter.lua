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

  -- Without types they are chosen from a list, one after the other, until it is left.
  local offered = {}
  local choices = { 'moved', 'leak' }
  vim.ui.select = function(items, options, on_choice)
    table.insert(offered, vim.tbl_map(options.format_item, items))
    on_choice(table.remove(choices, 1))
  end
  vim.cmd('EscapeLens filter')
  t.becomes({ '15 ◆ EscapeLensEscape', '20 ◆ EscapeLensEscape' }, t.signs, 'escape alone')
  t.wait('the list to be left', function()
    return #offered == 3
  end)
  t.equal('[x] ● Moved to Heap', offered[1][1], 'the first entry at first')
  t.equal('[ ] ● Moved to Heap', offered[3][1], 'the first entry at last')
  t.equal('[x] ◆ Escape to Heap', offered[3][2], 'the second entry at last')
end
