-- Names the editor's child processes, then quits.
return function(t)
  t.open_sample()
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  io.stdout:write(vim.json.encode(children) .. '\n')
  io.stdout:flush()
end
