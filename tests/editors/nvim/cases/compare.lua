-- Two saves are two runs: what is new, gone and moved between them.
return function(t)
  t.open_sample()
  vim.cmd('EscapeLens compare')
  t.edit(9, 10, { '\treturn &User{Name: name}' })
  t.save()
  t.becomes('9 ◆ EscapeLensEscape', function()
    return t.signs()[2]
  end, 'the marks of the second run')
  local source = vim.api.nvim_get_current_buf()
  vim.cmd('EscapeLens compare')
  t.wait('the comparison', function()
    return vim.api.nvim_get_current_buf() ~= source
  end)
  t.becomes({
    '▾ New 1',
    '  ▾ user.go 1',
    '      ◆ 9 &User{...} escapes to heap',
    '▾ Gone 1',
    '  ▾ user.go 1',
    '      ● 9 moved to heap: u',
    '▾ Moved only 4 ◆2 ◇2',
    '  ▾ user.go 4 ◆2 ◇2',
    '      ◇ 13 leaking param content: names (was line 14)',
    '      ◆ 14 append escapes to heap (was line 15)',
    '      ◆ 19 &User{...} escapes to heap (was line 20)',
  }, function()
    return vim.list_slice(t.lines(), 1, 11)
  end, 'new, gone, moved')
  t.contains(vim.wo.winbar, '#1 ')
  t.contains(vim.wo.winbar, '→ #2 ')

  vim.fn.search('was line 20')
  vim.cmd.normal(t.keys('<CR>'))
  t.equal(source, vim.api.nvim_get_current_buf(), 'the source')
  t.equal({ 19, 26 }, vim.api.nvim_win_get_cursor(0), 'the place, behind Greek')

  -- Two of a list; a run with an environment of its own is among them.
  vim.cmd('EscapeLens env GOARCH=arm64 -gcflags=-l')
  t.wait('the run', function()
    return (t.notices[#t.notices] or ''):find('GOARCH=arm64', 1, true)
  end)
  t.contains(t.notices[#t.notices], 'run 3 (GOARCH=arm64 -gcflags=-l): 8 messages')
  t.equal('9 ◆ EscapeLensEscape', t.signs()[2], 'the marks stay those of the save')
  local prompts = {}
  vim.ui.select = function(items, options, on_choice)
    table.insert(prompts, vim.tbl_map(options.format_item, items))
    on_choice(items[#prompts == 1 and 2 or 1])
  end
  vim.cmd('EscapeLens compare pick')
  t.wait('the choice of both', function()
    return #prompts == 2
  end)
  t.contains(prompts[1][1], 'GOARCH=arm64')
  t.wait('the second comparison', function()
    return vim.bo.filetype == 'escapelens' and vim.wo.winbar:find('GOARCH=arm64', 1, true)
  end)
  t.becomes({ 'No difference' }, t.lines, 'nothing new on the other architecture')

  vim.cmd('EscapeLens compare 77')
  t.wait('a word about a run that is not there', function()
    return t.notices[#t.notices]:find('compare pick lists the runs', 1, true)
  end)
end
