-- Beside gopls on one buffer: no warning, one hover with both, one encoding, actions of both.
return function(t)
  vim.lsp.config('gopls', {
    cmd = { vim.env.ESCAPELENS_GOPLS },
    filetypes = { 'go' },
    root_markers = { 'go.work', 'go.mod' },
  })
  vim.lsp.enable('gopls')
  local warnings = {}
  local warn = vim.notify_once
  vim.notify_once = function(text, ...)
    table.insert(warnings, text)
    return warn(text, ...)
  end
  t.open_sample()
  t.wait('gopls', function()
    local clients = vim.lsp.get_clients({ bufnr = 0, name = 'gopls' })
    return #clients == 1 and clients[1].initialized
  end)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = 0 })) do
    t.equal('utf-16', client.offset_encoding, client.name)
  end

  -- gopls answers once it has loaded the package.
  vim.api.nvim_win_set_cursor(0, { 9, 1 })
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  t.wait('hovers of both', function()
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000) or {}
    return vim.iter(pairs(answers)):fold(0, function(sum, _, answer)
      return sum + (answer.result and 1 or 0)
    end) == 2
  end)
  vim.lsp.buf.hover()
  local text = t.float()
  local function times(part)
    return select(2, text:gsub(vim.pesc(part), ''))
  end
  t.equal(1, times('moved to heap: u'), 'ours in:\n' .. text)
  t.equal(1, times('var u User'), "gopls's in:\n" .. text)
  t.equal(2, #vim.api.nvim_list_wins(), 'one floating window')
  vim.cmd('fclose!')

  local offered = {}
  vim.ui.select = function(items, options, on_choice)
    offered = vim.tbl_map(options.format_item, items)
    on_choice(nil)
  end
  vim.lsp.buf.code_action()
  t.wait('the actions', function()
    return #offered > 0
  end)
  local titles = table.concat(offered, '\n')
  t.contains(titles, '[escapelens]')
  t.contains(titles, '[gopls]')

  t.equal({}, warnings, 'warnings')
  t.equal({}, t.notices, 'notices')
  t.equal('', vim.v.errmsg, 'errors')
  t.equal('', vim.api.nvim_exec2('messages', { output = true }).output, 'messages')

  vim.cmd('checkhealth escapelens')
  t.contains(table.concat(t.lines(), '\n'), 'gopls counts in utf-16, too')
end
