--- A window of rows beside the source: what the tree and the comparison are drawn in.

local M = {}

---@class escapelens.Row
---@field id string what the cursor stays on when the rows change
---@field chunks [string, string?][] text and highlight group
---@field data? any for the keys' functions

---@class escapelens.Key
---@field keys string[]
---@field desc string
---@field run fun(row?: escapelens.Row)

local namespace = vim.api.nvim_create_namespace('escapelens.panel')

---@type table<integer, escapelens.Row[]> rows by buffer
local shown = {}

--- The window that a panel's buffer is in, if it is in one.
---@param bufnr? integer
---@return integer?
function M.window(bufnr)
  return bufnr and vim.api.nvim_buf_is_valid(bufnr) and vim.fn.win_findbuf(bufnr)[1] or nil
end

--- The row at the cursor of a panel's window.
---@param bufnr integer
---@return escapelens.Row?
local function row_at_cursor(bufnr)
  local window = M.window(bufnr)
  return window and shown[bufnr][vim.api.nvim_win_get_cursor(window)[1]]
end

---@param bufnr integer
---@param keys escapelens.Key[]
local function map(bufnr, keys)
  for _, key in ipairs(keys) do
    for _, lhs in ipairs(key.keys) do
      vim.keymap.set('n', lhs, function()
        key.run(row_at_cursor(bufnr))
      end, { buffer = bufnr, nowait = true, desc = 'EscapeLens: ' .. key.desc })
    end
  end
end

--- Show what the keys do.
---@param keys escapelens.Key[]
local function help(keys)
  local lines = vim.tbl_map(function(key)
    return ('%-14s %s'):format(table.concat(key.keys, ' '), key.desc)
  end, keys)
  vim.lsp.util.open_floating_preview(lines, '', { focus_id = 'escapelens.keys' })
end

--- Open a panel, or go to the one that is open.
---@param name string
---@param source integer buffer that it is about
---@param keys escapelens.Key[]
---@return integer bufnr
function M.open(name, source, keys)
  local full_name = 'escapelens://' .. name
  local bufnr = vim.fn.bufnr('^' .. full_name .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, full_name)
    vim.bo[bufnr].bufhidden = 'wipe'
    vim.bo[bufnr].filetype = 'escapelens'
    shown[bufnr] = {}
    vim.api.nvim_create_autocmd('BufWipeout', {
      buffer = bufnr,
      desc = 'EscapeLens: forget the rows',
      callback = function()
        shown[bufnr] = nil
      end,
    })
  end
  vim.b[bufnr].escapelens_source = source
  local all = vim.list_extend(vim.list_slice(keys), {
    {
      keys = { 'q' },
      desc = 'close',
      run = function()
        vim.api.nvim_win_close(0, true)
      end,
    },
  })
  table.insert(all, {
    keys = { 'g?' },
    desc = 'these keys',
    run = function()
      help(all)
    end,
  })
  map(bufnr, all)

  local window = M.window(bufnr)
  if window then
    vim.api.nvim_set_current_win(window)
    return bufnr
  end
  local width = math.max(30, math.floor(vim.o.columns * 0.4))
  window = vim.api.nvim_open_win(bufnr, true, { split = 'right', win = 0, width = width })
  for option, value in pairs({
    cursorline = true,
    foldcolumn = '0',
    list = false,
    number = false,
    relativenumber = false,
    signcolumn = 'no',
    spell = false,
    winfixwidth = true,
    wrap = false,
  }) do
    vim.wo[window][0][option] = value
  end
  return bufnr
end

--- Draw a panel's rows; the cursor stays on its row, or on its line where that is gone.
---@param bufnr integer
---@param title string
---@param rows escapelens.Row[]
function M.draw(bufnr, title, rows)
  local window = M.window(bufnr)
  if not window then
    return
  end
  local before = row_at_cursor(bufnr)
  local lines = {} ---@type string[]
  local marks = {} ---@type [integer, integer, integer, string][]
  local target ---@type integer?
  for index, row in ipairs(rows) do
    local text = ''
    for _, chunk in ipairs(row.chunks) do
      local words = chunk[1]:gsub('\n', ' ')
      if chunk[2] then
        table.insert(marks, { index - 1, #text, #text + #words, chunk[2] })
      end
      text = text .. words
    end
    table.insert(lines, text)
    if before and before.id == row.id then
      target = index
    end
  end
  shown[bufnr] = rows
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  for _, mark in ipairs(marks) do
    local options = { end_col = mark[3], hl_group = mark[4] }
    vim.api.nvim_buf_set_extmark(bufnr, namespace, mark[1], mark[2], options)
  end
  vim.wo[window][0].winbar = (' %s%%<'):format((title:gsub('%%', '%%%%')))
  if target then
    vim.api.nvim_win_set_cursor(window, { target, 0 })
  end
end

--- Go to a location, in the window of the panel's source or the one before the panel.
---@param bufnr integer the panel's
---@param location { uri: string, range: lsp.Range }
---@param encoding string
function M.jump(bufnr, location, encoding)
  local window = vim.fn.win_findbuf(vim.b[bufnr].escapelens_source)[1]
  if not window then
    window = vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(candidate)
      local buffer = vim.api.nvim_win_get_buf(candidate)
      return vim.bo[buffer].buftype == ''
    end)
  end
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('leftabove vsplit')
  end
  vim.lsp.util.show_document(location, encoding, { focus = true })
  vim.cmd('normal! zv')
end

return M
