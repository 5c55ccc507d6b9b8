-- What the screenshot shows: the sample's marks and the hover of a value that moved to the heap.
vim.o.termguicolors = true
vim.o.winborder = 'rounded'
vim.o.number = true
vim.o.signcolumn = 'yes'
vim.o.laststatus = 2
vim.o.tabstop = 4
vim.o.shortmess = vim.o.shortmess .. 'F'

local function wait(condition)
  assert(vim.wait(60000, condition, 10), 'waited in vain')
end

vim.schedule(function()
  vim.cmd.edit('user.go')
  wait(function()
    return #vim.lsp.get_clients({ bufnr = 0 }) == 1
  end)
  vim.cmd('silent write')
  local namespace = vim.api.nvim_create_namespace('escapelens')
  wait(function()
    return #vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, {}) > 5
  end)

  -- A float closes at the next move of the cursor: open it after this one.
  vim.api.nvim_create_autocmd('CursorMoved', {
    once = true,
    callback = vim.schedule_wrap(function()
      vim.lsp.buf.hover()
      wait(function()
        return #vim.api.nvim_list_wins() > 1
      end)
      vim.cmd('redraw | echo')
      -- Whoever reads this file knows now that the picture is complete.
      vim.fn.writefile({ 'ready' }, vim.env.ESCAPELENS_READY, 'b')
    end),
  })
  vim.api.nvim_win_set_cursor(0, { 9, 1 })
end)
