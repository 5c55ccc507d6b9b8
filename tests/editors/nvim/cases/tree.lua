-- The tree: grouped, folded, filtered, previewed; a message is a jump away.
return function(t)
  t.open_sample()
  local source = vim.api.nvim_get_current_buf()
  vim.cmd('EscapeLens tree')
  local function has(lines)
    return function()
      return vim.deep_equal(lines, t.lines())
    end
  end
  local first = {
    '▾ other.go 2 ●1 ◆1',
    '  ▾ Counter 2 ●1 ◆1',
    '    ▾ Escape to Heap 1',
    '        ◆ 6 func literal escapes to heap',
    '    ▾ Moved to Heap 1',
    '        ● 5 moved to heap: n',
    '▾ user.go 6 ●1 ◆2 ◇3',
    '  ▾ NewUser 2 ●1 ◇1',
    '    ▾ Moved to Heap 1',
    '        ● 9 moved to heap: u',
    '    ▾ Leak Param 1',
    '        ◇ 8 leaking param: name',
    '  ▾ Keep 2 ◆1 ◇1',
    '    ▾ Escape to Heap 1',
    '        ◆ 15 append escapes to heap',
    '    ▾ Leak Param 1',
    '        ◇ 14 leaking param content: names',
    '  ▾ Greeting 1',
    '    ▾ Escape to Heap 1',
    '        ◆ 20 &User{...} escapes to heap',
    '  ▾ keep 1',
    '    ▾ Leak Param 1',
    '        ◇ 23 leaking param: u',
  }
  t.becomes(first, t.lines, 'a small tree, open')
  t.equal('escapelens', vim.bo.filetype, 'filetype')
  t.equal(false, vim.bo.modifiable, 'modifiable')
  t.contains(vim.wo.winbar, 'package · file › function › type')

  -- Fold: one group, all, and none.
  vim.cmd.normal('gg')
  vim.cmd.normal('za')
  t.becomes('▸ other.go 2 ●1 ◆1', function()
    return t.lines()[1]
  end, 'one closed')
  t.equal('▾ user.go 6 ●1 ◆2 ◇3', t.lines()[2], 'the next behind it')
  vim.cmd.normal('zM')
  t.becomes({ '▸ other.go 2 ●1 ◆1', '▸ user.go 6 ●1 ◆2 ◇3' }, t.lines, 'all closed')
  vim.cmd.normal('zR')
  t.becomes(first, t.lines, 'all open')

  -- The preview of a message in a file that is not open tells its way.
  vim.cmd.normal('6G')
  vim.cmd.normal('K')
  t.contains(t.float(), 'moved to heap: n')
  vim.cmd('fclose!')

  -- The same filter as that of the marks.
  vim.cmd.normal('f')
  vim.cmd.normal(t.keys('jj<Space>q'))
  t.wait('no leaks', function()
    return not table.concat(t.lines()):find('leaking', 1, true)
  end)
  vim.cmd('EscapeLens filter leak escape moved')
  t.becomes(first, t.lines, 'with leaks')

  -- Only messages with a text.
  vim.ui.input = function(_, on_text)
    on_text('user{')
  end
  vim.cmd.normal('t')
  t.wait('one message', has({
    '▾ user.go 1',
    '  ▾ Greeting 1',
    '    ▾ Escape to Heap 1',
    '        ◆ 20 &User{...} escapes to heap',
  }))

  -- Jump: into the window of the source, at the value.
  vim.cmd.normal('G')
  vim.cmd.normal(t.keys('<CR>'))
  t.equal(source, vim.api.nvim_get_current_buf(), 'the source')
  t.equal({ 20, 26 }, vim.api.nvim_win_get_cursor(0), 'the place, behind Greek')

  -- Other levels, in the same window.
  vim.cmd.wincmd('w')
  vim.ui.input = function(_, on_text)
    on_text('')
  end
  vim.cmd.normal('t')
  vim.cmd('EscapeLens tree package type')
  t.wait('groups by type', function()
    return t.lines()[1] == '▾ Escape to Heap 3'
  end)
  t.equal('    ◆ other.go:6 func literal escapes to heap', t.lines()[2], 'a message tells its file')
  t.equal(2, #vim.api.nvim_list_wins(), 'windows')
  vim.cmd('EscapeLens tree file cause')
  t.wait('groups by cause', function()
    return table.concat(t.lines(), '\n'):find('▾ returned 2 ●1 ◇1\n    ◇ 8 leaking param: name\n    ● 9 moved to heap: u', 1, true)
  end)

  -- The group with the most messages first.
  vim.ui.select = function(items, _, on_choice)
    on_choice(items[2])
  end
  vim.cmd.normal('S')
  t.becomes('▾ stored 3 ◆2 ◇1', function()
    return t.lines()[1]
  end, 'the largest group first')
  vim.ui.select = function(items, _, on_choice)
    on_choice(items[1])
  end
  vim.cmd.normal('S')
  t.becomes('▾ returned 2 ●1 ◇1', function()
    return t.lines()[1]
  end, 'by position again')

  -- A save renews it.
  vim.cmd.wincmd('p')
  vim.cmd('EscapeLens tree file function')
  t.wait('groups by function', function()
    return t.lines()[1]:find('^▾ NewUser 2')
  end)
  vim.cmd.wincmd('p')
  t.edit(9, 10, { '\treturn &User{Name: name}' })
  t.save()
  vim.cmd.wincmd('p')
  t.becomes('    ◆ 9 &User{...} escapes to heap', function()
    return t.lines()[3]
  end, 'the new message')
  vim.cmd.normal('q')
  t.equal(1, #vim.api.nvim_list_wins(), 'closed')
end
