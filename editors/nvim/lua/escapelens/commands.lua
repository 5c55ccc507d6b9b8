--- `:EscapeLens`: subcommands and their completion.

local client = require('escapelens.client')
local config = require('escapelens.config')
local signs = require('escapelens.signs')

local M = {}

local scopes = { 'file', 'package', 'module' }

---@class escapelens.Invocation
---@field args string[] words after the subcommand
---@field count integer

---@class escapelens.Subcommand
---@field run fun(invocation: escapelens.Invocation)
---@field values? string[] what its arguments can be
---@field many? boolean whether it takes more than one of them

--- The current buffer and its client; without one the user is told.
---@return vim.lsp.Client?, integer
local function current()
  local bufnr = vim.api.nvim_get_current_buf()
  local server = client.get(bufnr)
  if not server then
    client.notify(
      'no server is attached to this buffer; :checkhealth escapelens tells why',
      vim.log.levels.WARN
    )
  end
  return server, bufnr
end

---@param invocation escapelens.Invocation
local function run(invocation)
  local server, bufnr = current()
  if not server then
    return
  end
  local scope = invocation.args[1]
  local argument = { uri = vim.uri_from_bufnr(bufnr), scope = scope }
  client.execute(server, 'analyze', argument, function(result)
    if result.status == 'ok' then
      client.notify(('%d messages'):format(result.messages))
    else
      local status = client.status(server.id)
      local reason = status and status.message or result.status
      client.notify('analysis failed: ' .. reason, vim.log.levels.WARN)
    end
  end, bufnr)
end

--- Toggle one type after the other until the selection is left.
---@param server vim.lsp.Client
---@param bufnr integer
local function choose_types(server, bufnr)
  local shown = {} ---@type table<escapelens.Type, boolean>
  for _, type in ipairs(client.shown(server)) do
    shown[type] = true
  end
  vim.ui.select(config.types, {
    prompt = 'Message types',
    format_item = function(type)
      local box = shown[type] and '[x]' or '[ ]'
      return ('%s %s %s'):format(box, config.sign(type), config.labels[type])
    end,
  }, function(choice)
    if not choice then
      return
    end
    shown[choice] = not shown[choice]
    local types = vim.tbl_filter(function(type)
      return shown[type]
    end, config.types)
    client.set_filter(server, types, bufnr, function()
      choose_types(server, bufnr)
    end)
  end)
end

---@param invocation escapelens.Invocation
local function filter(invocation)
  local server, bufnr = current()
  if not server then
    return
  end
  if #invocation.args == 0 then
    choose_types(server, bufnr)
  else
    client.set_filter(server, invocation.args, bufnr)
  end
end

---@type table<integer, integer> buffer of the compiler's text, by that of the source
local raw_buffers = {}

---@param source integer
---@return integer
local function raw_buffer(source)
  local bufnr = raw_buffers[source]
  if not (bufnr and vim.api.nvim_buf_is_valid(bufnr)) then
    bufnr = vim.api.nvim_create_buf(false, true)
    raw_buffers[source] = bufnr
    vim.api.nvim_buf_set_name(bufnr, 'escapelens://raw' .. vim.api.nvim_buf_get_name(source))
    vim.bo[bufnr].bufhidden = 'wipe'
  end
  return bufnr
end

--- Open the compiler's own text beside the source.
local function raw()
  local server, source = current()
  if not server then
    return
  end
  client.execute(server, 'showRaw', { uri = vim.uri_from_bufnr(source) }, function(result)
    local bufnr = raw_buffer(source)
    vim.bo[bufnr].modifiable = true
    local lines = vim.split(result.text, '\n', { trimempty = true })
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    vim.bo[bufnr].modifiable = false
    local window = vim.fn.win_findbuf(bufnr)[1]
    if window then
      vim.api.nvim_set_current_win(window)
    else
      vim.api.nvim_open_win(bufnr, true, { split = 'below', win = 0 })
    end
  end, source)
end

--- Open everything known about the cursor's place in a floating window.
local function explain()
  local server, bufnr = current()
  if not server then
    return
  end
  local place = vim.lsp.util.make_position_params(0, server.offset_encoding)
  local argument = { uri = place.textDocument.uri, position = place.position }
  client.execute(server, 'explain', argument, function(result)
    if (result.markdown or '') == '' then
      client.notify('nothing known about this place')
      return
    end
    local lines = vim.split(result.markdown, '\n', { trimempty = true })
    vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'escapelens.explain' })
  end, bufnr)
end

---@param direction 1|-1
local function jump(direction)
  return function(invocation)
    if not signs.jump(direction * invocation.count) then
      client.notify('no marks in this buffer')
    end
  end
end

--- Fill and open the quickfix list.
---@param invocation escapelens.Invocation
local function quickfix(invocation)
  local server, bufnr = current()
  if not server then
    return
  end
  local scope = invocation.args[1] or 'package'
  client.messages(server, bufnr, scope, function(messages)
    local placed = vim.tbl_filter(function(message)
      return message.uri ~= nil and message.range ~= nil
    end, messages)
    if #placed == 0 then
      client.notify('no messages in this ' .. scope)
      return
    end
    local items = vim.lsp.util.locations_to_items(placed, server.offset_encoding)
    for _, item in ipairs(items) do
      local message = item.user_data ---@type escapelens.Message
      item.text = message.message
      item.type = 'I'
    end
    vim.fn.setqflist({}, ' ', { title = 'EscapeLens: ' .. scope, items = items })
    vim.cmd('botright copen')
  end)
end

local function stop()
  vim.lsp.enable(config.name, false)
end

--- How long a server may take to end by itself before it is made to.
local grace_ms = 3000

--- Start the server anew, once the old one has left its buffers.
local function restart()
  local leaving = {} ---@type table<integer, vim.lsp.Client>
  for _, server in ipairs(vim.lsp.get_clients({ name = config.name })) do
    if next(server.attached_buffers) then
      leaving[server.id] = server
    end
  end
  stop()
  if not next(leaving) then
    vim.lsp.enable(config.name)
    return
  end

  vim.api.nvim_create_autocmd('LspDetach', {
    group = vim.api.nvim_create_augroup('escapelens.restart', {}),
    desc = 'EscapeLens: start the server anew',
    callback = function(args)
      leaving[args.data.client_id] = nil
      if next(leaving) then
        return false
      end
      vim.schedule(function()
        vim.lsp.enable(config.name)
      end)
      return true
    end,
  })
  vim.defer_fn(function()
    for _, server in pairs(leaving) do
      server:stop(true)
    end
  end, grace_ms)
end

---@type table<string, escapelens.Subcommand>
local subcommands = {
  run = { run = run, values = scopes },
  filter = { run = filter, values = config.types, many = true },
  show = {
    run = function()
      signs.set_visible(true)
    end,
  },
  hide = {
    run = function()
      signs.set_visible(false)
    end,
  },
  raw = { run = raw },
  explain = { run = explain },
  next = { run = jump(1) },
  prev = { run = jump(-1) },
  qf = { run = quickfix, values = scopes },
  restart = { run = restart },
  stop = { run = stop },
}

--- What is wrong with a subcommand's arguments, if anything.
---@param name string
---@param args string[]
---@return string?
local function complaint(name, args)
  local subcommand = subcommands[name]
  if not subcommand then
    return ('no subcommand "%s"; there are %s'):format(
      name,
      table.concat(vim.fn.sort(vim.tbl_keys(subcommands)), ', ')
    )
  end
  local values = subcommand.values or {}
  local most = subcommand.many and #values or math.min(#values, 1)
  if #args > most then
    return ('%s takes %s'):format(name, most == 0 and 'no argument' or ('at most %d'):format(most))
  end
  for _, value in ipairs(args) do
    if not vim.list_contains(values, value) then
      return ('"%s" is none of %s'):format(value, table.concat(values, ', '))
    end
  end
end

--- Run a subcommand.
---@param command vim.api.keyset.create_user_command.command_args
function M.run(command)
  local args = vim.deepcopy(command.fargs)
  local name = table.remove(args, 1)
  local problem = complaint(name, args)
  if problem then
    client.notify(problem, vim.log.levels.ERROR)
    return
  end
  subcommands[name].run({ args = args, count = command.count })
end

--- Complete a subcommand or its arguments.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local rest = line:match('EscapeLens%s+(.*)$') or ''
  local words = vim.split(rest, '%s+', { trimempty = true })
  if lead ~= '' then
    table.remove(words)
  end
  local name = table.remove(words, 1)
  local candidates ---@type string[]
  if not name then
    candidates = vim.fn.sort(vim.tbl_keys(subcommands))
  else
    local subcommand = subcommands[name] or {}
    local room = subcommand.many or #words == 0
    candidates = room and subcommand.values or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead) and not vim.list_contains(words, candidate)
  end, candidates)
end

return M
