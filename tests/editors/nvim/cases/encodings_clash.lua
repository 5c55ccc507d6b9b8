-- `:checkhealth` finds another client of the buffer that counts in another unit, and says the remedy.
return function(t)
  t.open_sample()
  vim.lsp.start({
    name = 'other',
    cmd = function()
      return {
        request = function(method, _, callback)
          local result = method == 'initialize' and { capabilities = { positionEncoding = 'utf-8' } } or nil
          callback(nil, result)
          return true, 1
        end,
        notify = function()
          return true
        end,
        is_closing = function()
          return false
        end,
        terminate = function() end,
      }
    end,
  })
  t.wait('the other client', function()
    return #vim.lsp.get_clients({ bufnr = 0, name = 'other' }) == 1
  end)
  vim.cmd('checkhealth escapelens')
  local text = table.concat(t.lines(), '\n')
  t.contains(text, 'WARNING buffer')
  t.contains(text, 'escapelens counts in utf-16, other in utf-8')
  t.contains(text, 'positionEncodings')
end
