-- `b:escapelens_status` is what a status line shows: counts, and whether it runs or failed.
return function(t)
  t.equal(nil, vim.b.escapelens_status, 'nothing before a Go buffer')
  t.open_sample()
  local function status()
    return vim.b.escapelens_status
  end
  t.becomes('● 1 ◆ 2 ◇ 3', status, 'counts by type')
  vim.o.laststatus = 2
  vim.o.statusline = "%f %{get(b:, 'escapelens_status', '')}"
  t.contains(table.concat(t.screen(), '\n'), 'user.go ● 1 ◆ 2 ◇ 3')

  local updates = 0
  vim.api.nvim_create_autocmd('User', {
    pattern = 'EscapeLensUpdate',
    callback = function()
      updates = updates + 1
    end,
  })
  local last = vim.api.nvim_buf_line_count(0)
  t.edit(last + 1, last, { 'var broken int = missing' })
  t.save()
  t.becomes('● 1 ◆ 2 ◇ 3 ✗', status, 'a package that does not build')
  t.wait('the event', function()
    return updates > 0
  end)
  vim.cmd('EscapeLens hide')
  t.equal(nil, status(), 'hidden')
end
