-- Nothing is loaded before the server attaches to a Go buffer.
return function(t)
  local function loaded()
    return vim.tbl_filter(function(name)
      return vim.startswith(name, 'escapelens')
    end, vim.tbl_keys(package.loaded))
  end
  vim.cmd.edit('notes.txt')
  vim.cmd.edit('other.lua')
  t.equal(2, vim.fn.exists(':EscapeLens'), 'the command')
  t.equal({}, loaded(), 'modules before a Go buffer')
  t.equal({}, t.clients(), 'clients before a Go buffer')
  t.open('user.go')
  t.wait('the modules', function()
    return package.loaded['escapelens'] ~= nil
  end)
end
