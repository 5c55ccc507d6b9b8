--- Runs that were asked for: of a scope, and with an environment of their own.

local client = require('escapelens.client')

local M = {}

--- Analyse, and tell how it went.
---@param server vim.lsp.Client
---@param source integer
---@param argument table of `escapelens.analyze`
---@param on_done? fun(result: table)
function M.start(server, source, argument, on_done)
  argument.uri = vim.uri_from_bufnr(source)
  client.execute(server, 'analyze', argument, function(result)
    if result.status == 'ok' then
      if on_done then
        on_done(result)
      else
        client.notify(('%d messages'):format(result.messages))
      end
      return
    end
    local status = client.status(server.id)
    local failed = status and status.state == 'failed' and status.message
    local reason = type(result.error) == 'string' and result.error or failed or result.status
    client.notify('analysis failed: ' .. reason, vim.log.levels.WARN)
  end, source)
end

--- Words of a command line as an environment: `GOOS=js`, `-tags=a,b`, `-gcflags=-l`; the rest is gcflags.
---@param words string[]
---@return table argument of `escapelens.analyze`
local function parse(words)
  local argument = { env = vim.empty_dict(), tags = {}, gcflags = {} }
  for _, word in ipairs(words) do
    local option, value = word:match('^%-?%-(tags)=(.*)$')
    if not option then
      option, value = word:match('^%-?%-(gcflags)=(.*)$')
    end
    local name, setting = word:match('^([%w_]+)=(.*)$')
    if option then
      vim.list_extend(argument[option], vim.split(value, '[,%s]+', { trimempty = true }))
    elseif name then
      argument.env[name] = setting
    else
      table.insert(argument.gcflags, word)
    end
  end
  return argument
end

--- Analyse with an environment of its own. The result is kept beside that of the buffer, to be compared.
---@param server vim.lsp.Client
---@param source integer
---@param words string[]
function M.with_environment(server, source, words)
  M.start(server, source, parse(words), function(result)
    local text = ('run %s (%s): %d messages'):format(result.run, table.concat(words, ' '), result.messages)
    client.notify(text .. '; :EscapeLens compare pick compares it')
  end)
end

return M
