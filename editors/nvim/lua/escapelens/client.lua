--- Conversation with the server.

local config = require('escapelens.config')

---@class escapelens.Message
---@field node 'message'
---@field id string
---@field type escapelens.Type
---@field kind string
---@field message string
---@field label string
---@field function? string
---@field uri? string
---@field range? lsp.Range
---@field stale boolean

---@class escapelens.Group
---@field node 'group'
---@field by escapelens.GroupBy
---@field key string
---@field label string
---@field count integer
---@field types table<escapelens.Type, integer>

---@class escapelens.Status
---@field state 'idle'|'running'|'failed'
---@field package? string
---@field generation? integer
---@field message? string

local M = {}

local page_size = 500

---@type table<integer, escapelens.Status> last status by client
local statuses = {}

---@type table<integer, escapelens.Type[]> types chosen with `filter`, by client
local filters = {}

--- The running client of a buffer; any running one if no buffer is named.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  local clients = vim.lsp.get_clients({ name = config.name, bufnr = bufnr })
  return vim.iter(clients):find(function(client)
    return not client:is_stopped()
  end)
end

--- Say something to the user.
---@param text string
---@param level? integer one of `vim.log.levels`, INFO by default
function M.notify(text, level)
  vim.notify('EscapeLens: ' .. text, level or vim.log.levels.INFO)
end

--- The current buffer and its client; without one the user is told. In a window of the plugin's
--- own they are those of the source that it is about.
---@return vim.lsp.Client?, integer
function M.current()
  local bufnr = vim.api.nvim_get_current_buf()
  bufnr = vim.b[bufnr].escapelens_source or bufnr
  local server = M.get(bufnr)
  if not server then
    M.notify(
      'no server is attached to this buffer; :checkhealth escapelens tells why',
      vim.log.levels.WARN
    )
  end
  return server, bufnr
end

--- Send a command of the server's. An error is told to the user, `on_result` is then not called.
---@param client vim.lsp.Client
---@param command string name without the leading `escapelens.`
---@param argument table
---@param on_result fun(result: table, context: lsp.HandlerContext)
---@param bufnr integer buffer that the command is about
function M.execute(client, command, argument, on_result, bufnr)
  local params = {
    command = config.name .. '.' .. command,
    arguments = { next(argument) and argument or vim.empty_dict() },
  }
  client:request('workspace/executeCommand', params, function(err, result, context)
    if err then
      M.notify(err.message, vim.log.levels.ERROR)
    elseif type(result) == 'table' then
      on_result(result, context)
    end
  end, bufnr)
end

--- Ask for all messages of a scope, page by page.
---@param client vim.lsp.Client
---@param bufnr integer
---@param scope 'file'|'package'|'module'
---@param on_messages fun(messages: escapelens.Message[], version: integer) gets the buffer's
--- version at the time the first page was asked for
function M.messages(client, bufnr, scope, on_messages)
  local messages = {} ---@type escapelens.Message[]
  local first_version ---@type integer?

  local function ask()
    M.execute(client, 'messages', {
      uri = vim.uri_from_bufnr(bufnr),
      scope = scope,
      sort = 'position',
      offset = #messages,
      limit = page_size,
    }, function(result, context)
      first_version = first_version or context.version
      vim.list_extend(messages, result.nodes)
      if #result.nodes > 0 and #messages < result.total then
        ask()
      else
        on_messages(messages, first_version)
      end
    end, bufnr)
  end
  ask()
end

--- Ask for the inlay hints of a whole buffer.
---@param client vim.lsp.Client
---@param bufnr integer
---@param on_hints fun(hints: lsp.InlayHint[], version: integer)
function M.hints(client, bufnr, on_hints)
  local lines = vim.api.nvim_buf_line_count(bufnr)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = {
      start = { line = 0, character = 0 },
      ['end'] = { line = lines, character = 0 },
    },
  }
  client:request('textDocument/inlayHint', params, function(err, result, context)
    if not err then
      on_hints(result or {}, context.version)
    end
  end, bufnr)
end

--- Widen a floating window to its longest line: words and links that are cut are hard to read, and
--- in a narrow window (a tree's) they are.
---@param window integer
---@param lines string[]
local function widen(window, lines)
  local widest = 1
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.api.nvim_strwidth(line))
  end
  local width = math.min(widest, vim.o.columns - 4)
  if width <= vim.api.nvim_win_get_width(window) then
    return
  end
  local row = vim.fn.screenrow()
  vim.api.nvim_win_set_config(window, {
    relative = 'editor',
    anchor = row > vim.o.lines / 2 and 'SW' or 'NW',
    row = row > vim.o.lines / 2 and row - 1 or row,
    col = math.max(0, math.min(vim.fn.screencol() - 1, vim.o.columns - width - 3)),
    width = width,
  })
  vim.api.nvim_win_set_height(window, vim.api.nvim_win_text_height(window, {}).all)
end

--- Open everything known about a place in a floating window.
---@param client vim.lsp.Client
---@param bufnr integer buffer that the command is about
---@param uri string
---@param position lsp.Position
function M.explain(client, bufnr, uri, position)
  M.execute(client, 'explain', { uri = uri, position = position }, function(result)
    if (result.markdown or '') == '' then
      M.notify('nothing known about this place')
      return
    end
    local lines = vim.split(result.markdown, '\n', { trimempty = true })
    local options = { focus_id = 'escapelens.explain' }
    local _, window = vim.lsp.util.open_floating_preview(lines, 'markdown', options)
    vim.wo[window][0].linebreak = true
    widen(window, lines)
  end, bufnr)
end

--- Remember a client's status.
---@param client_id integer
---@param status escapelens.Status
function M.set_status(client_id, status)
  statuses[client_id] = status
end

--- The last status a client sent.
---@param client_id integer
---@return escapelens.Status?
function M.status(client_id)
  return statuses[client_id]
end

--- The types shown now: those chosen last, else the setting.
---@param client vim.lsp.Client
---@return escapelens.Type[]
function M.shown(client)
  return filters[client.id]
    or vim.tbl_get(client.settings, config.name, 'show')
    or config.default_show
end

--- Choose what is shown. The server answers with a status, at which the marks are drawn anew.
---@param client vim.lsp.Client
---@param types escapelens.Type[]
---@param bufnr integer
---@param on_done? fun()
function M.set_filter(client, types, bufnr, on_done)
  M.execute(client, 'setFilter', { types = types }, function(result)
    filters[client.id] = result.types
    if on_done then
      on_done()
    end
  end, bufnr)
end

return M
