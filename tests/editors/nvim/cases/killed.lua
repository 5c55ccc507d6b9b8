-- Names the editor's child processes, then waits to be killed.
return function(t)
  t.open_sample()
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  io.stdout:write(vim.json.encode(children) .. '\n')
  io.stdout:flush()
  t.wait('the end', function()
    return false
  end)
end
