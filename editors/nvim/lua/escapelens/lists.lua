--- Messages as entries of the quickfix list, of the location list, of a picker.

local client = require('escapelens.client')

local M = {}

--- Ask for the messages of a scope that have a place, as quickfix entries.
---@param server vim.lsp.Client
---@param source integer
---@param scope 'file'|'package'|'module'
---@param on_items fun(items: table[]) not called where there are none: the user is told
function M.items(server, source, scope, on_items)
  client.messages(server, source, scope, function(messages)
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
    on_items(items)
  end)
end

--- Fill and open the quickfix list, or the location list of the current window.
---@param server vim.lsp.Client
---@param source integer
---@param scope 'file'|'package'|'module'
---@param location boolean
function M.open(server, source, scope, location)
  local window = vim.api.nvim_get_current_win()
  M.items(server, source, scope, function(items)
    local list = { title = 'EscapeLens: ' .. scope, items = items }
    if location then
      vim.fn.setloclist(window, {}, ' ', list)
      vim.api.nvim_set_current_win(window)
      vim.cmd.lopen()
    else
      vim.fn.setqflist({}, ' ', list)
      vim.cmd('botright copen')
    end
  end)
end

return M
