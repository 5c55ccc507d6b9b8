-- Runs one case inside the editor: a file that returns a function of the helpers below.
-- The editor's exit status is the case's result, its error stream says why.

local t = {}

local time_limit_ms = tonumber(vim.env.ESCAPELENS_TIME_LIMIT or 60000)

--- What the user was told, in order.
---@type string[]
t.notices = {}

vim.notify = function(text)
  table.insert(t.notices, text)
end

--- Fail unless two values are equal.
function t.equal(expected, actual, what)
  if not vim.deep_equal(expected, actual) then
    error(
      ('%s\nexpected: %s\nactual: %s'):format(what, vim.inspect(expected), vim.inspect(actual)),
      2
    )
  end
end

--- Fail unless a text contains another.
function t.contains(text, part)
  if not text:find(part, 1, true) then
    error(('"%s" is not in:\n%s'):format(part, text), 2)
  end
end

--- Wait until a condition holds.
function t.wait(what, condition)
  if not vim.wait(time_limit_ms, condition, 10) then
    error('waited in vain for ' .. what, 2)
  end
end

--- Wait until a function gives the expected value.
function t.becomes(expected, actual, what)
  local same = vim.wait(time_limit_ms, function()
    return vim.deep_equal(expected, actual())
  end, 10)
  if not same then
    t.equal(expected, actual(), 'waited in vain for ' .. what)
  end
end

--- The signs of the current buffer, as "line text group", in order.
---@return string[]
function t.signs()
  local namespace = vim.api.nvim_create_namespace('escapelens')
  local signs = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    local details = mark[4]
    if not details.invalid then
      local text = vim.trim(details.sign_text)
      table.insert(signs, ('%d %s %s'):format(mark[2] + 1, text, details.sign_hl_group))
    end
  end
  return signs
end

--- Key names as what `normal` takes.
function t.keys(names)
  return vim.api.nvim_replace_termcodes(names, true, true, true)
end

--- The virtual text of the current buffer, as "line: words", in order.
---@return string[]
function t.virtual_text()
  local namespace = vim.api.nvim_create_namespace('escapelens.virtual_text')
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    local words = vim.tbl_map(function(chunk)
      return chunk[1]
    end, mark[4].virt_text)
    table.insert(found, ('%d: %s'):format(mark[2] + 1, vim.trim(table.concat(words))))
  end
  return found
end

--- The screen, a string a line, without spaces at the ends.
---@return string[]
function t.screen()
  vim.cmd('redraw')
  local lines = {}
  for row = 1, vim.o.lines do
    local cells = {}
    for column = 1, vim.o.columns do
      table.insert(cells, vim.fn.screenstring(row, column))
    end
    table.insert(lines, (table.concat(cells):gsub('%s+$', '')))
  end
  return lines
end

--- A second editor in a terminal, with a user's eyes and fingers: `type(keys)`, and `looks(name)`,
--- which waits for the screen of `screens/<name>.txt` (made anew when ESCAPELENS_UPDATE is set).
---@param arguments string[]
function t.terminal(arguments)
  local folder = vim.fs.dirname(vim.fs.dirname(vim.env.ESCAPELENS_CASE))
  vim.o.columns, vim.o.lines = 100, 34
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_open_win(bufnr, true, { relative = 'editor', row = 0, col = 0, width = 100, height = 30 })
  local job = vim.fn.jobstart(vim.list_extend({ vim.v.progpath, '--clean' }, arguments), {
    term = true,
    env = { TERM = 'xterm-256color', COLORTERM = 'truecolor', NVIM = '' },
  })

  local terminal = {}

  function terminal.text()
    local lines = vim.tbl_map(function(line)
      return (line:gsub('%s+$', ''))
    end, vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
    return vim.trim(table.concat(lines, '\n'))
  end

  function terminal.type(keys)
    vim.api.nvim_chan_send(job, t.keys(keys))
  end

  function terminal.shows(part)
    t.wait(part .. ' on the screen', function()
      return terminal.text():find(part, 1, true)
    end)
  end

  function terminal.looks(name)
    local path = vim.fs.joinpath(folder, 'screens', name .. '.txt')
    if vim.env.ESCAPELENS_UPDATE then
      vim.wait(1000)
      vim.fn.writefile(vim.split(terminal.text(), '\n'), path)
    end
    t.becomes(table.concat(vim.fn.readfile(path), '\n'), terminal.text, 'the screen ' .. name)
  end

  function terminal.ended()
    return vim.fn.jobwait({ job }, 30000)[1]
  end

  return terminal
end

--- The lines of the current buffer.
---@return string[]
function t.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- The clients named escapelens.
function t.clients(filter)
  return vim.lsp.get_clients(vim.tbl_extend('error', { name = 'escapelens' }, filter or {}))
end

--- Open a file and wait for the server to attach.
function t.open(path)
  vim.cmd.edit(path)
  t.wait('the server', function()
    return #t.clients({ bufnr = 0 }) == 1
  end)
end

--- Write the buffer, which starts an analysis.
function t.save()
  vim.cmd('silent write')
end

--- Replace lines of the current buffer as a user does: counted from 1, the last included.
function t.edit(first, last, lines)
  vim.api.nvim_buf_set_lines(0, first - 1, last, true, lines)
end

--- The text of the floating window, once there is one.
---@return string
function t.float()
  local window ---@type integer
  t.wait('a floating window', function()
    window = vim.iter(vim.api.nvim_list_wins()):find(function(candidate)
      return vim.api.nvim_win_get_config(candidate).relative ~= ''
    end)
    return window ~= nil
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  return table.concat(lines, '\n')
end

--- What is marked in the sample's user.go.
t.sample_signs = {
  '8 ◇ EscapeLensLeak',
  '9 ● EscapeLensMoved',
  '14 ◇ EscapeLensLeak',
  '15 ◆ EscapeLensEscape',
  '20 ◆ EscapeLensEscape',
  '23 ◇ EscapeLensLeak',
}

--- Open the sample's user.go, save it and wait for its marks.
function t.open_sample()
  t.open('user.go')
  t.save()
  t.becomes(t.sample_signs, t.signs, 'the marks of user.go')
end

--- The end of the client's log, where the server's error stream is.
local function log_end()
  local file = io.open(vim.lsp.get_log_path())
  local text = file and file:read('*a') or ''
  return text:sub(-4000)
end

vim.schedule(function()
  local passed, problem = xpcall(function()
    dofile(vim.env.ESCAPELENS_CASE)(t)
  end, debug.traceback)
  if not passed then
    local notices = table.concat(t.notices, '\n')
    io.stderr:write(('%s\nnotices:\n%s\nlog:\n%s\n'):format(problem, notices, log_end()))
  end
  vim.cmd(passed and 'qall!' or 'cquit 1')
end)
