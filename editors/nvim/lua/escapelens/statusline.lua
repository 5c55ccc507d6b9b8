--- What a status line shows of a buffer: `b:escapelens_status`.
---
--- A variable, so that a status line needs no module of the plugin, and none is loaded for other files.

local client = require('escapelens.client')
local config = require('escapelens.config')

local M = {}

---@type table<integer, string> counts of the messages shown, by buffer
local counts = {}

---@param bufnr integer
local function write(bufnr)
  local server = client.get(bufnr)
  local status = server and client.status(server.id)
  local text = counts[bufnr] or ''
  if status and status.state == 'running' then
    text = text .. ' …'
  elseif status and status.state == 'failed' then
    text = text .. ' ✗'
  end
  vim.b[bufnr].escapelens_status = vim.trim(text)
end

--- Take the messages that a buffer shows.
---@param bufnr integer
---@param messages escapelens.Message[]
function M.count(bufnr, messages)
  local found = {} ---@type table<escapelens.Type, integer>
  for _, message in ipairs(messages) do
    found[message.type] = (found[message.type] or 0) + 1
  end
  local parts = {} ---@type string[]
  for _, type in ipairs(config.types) do
    if found[type] then
      table.insert(parts, ('%s %d'):format(config.sign(type), found[type]))
    end
  end
  counts[bufnr] = table.concat(parts, ' ')
  write(bufnr)
  vim.cmd.redrawstatus()
end

--- A client's status is another: its buffers say so.
---@param client_id integer
function M.update(client_id)
  local server = vim.lsp.get_client_by_id(client_id)
  for bufnr in pairs(server and server.attached_buffers or {}) do
    if vim.api.nvim_buf_is_valid(bufnr) then
      write(bufnr)
    end
  end
  vim.cmd.redrawstatus()
end

--- Nothing is shown of a buffer any more.
---@param bufnr integer
function M.forget(bufnr)
  counts[bufnr] = nil
  vim.b[bufnr].escapelens_status = nil
end

return M
