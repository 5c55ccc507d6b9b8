-- The outermost workspace is the root, then the module, then the repository; a lone file has none.
return function(t)
  local base = vim.fn.getcwd()
  local function root_of(path)
    local file = vim.fs.joinpath(base, path)
    vim.fn.mkdir(vim.fs.dirname(file), 'p')
    vim.fn.writefile({ 'package main', '', 'func main() {}' }, file)
    t.open(file)
    local root = t.clients({ bufnr = 0 })[1].root_dir
    return root and vim.fs.relpath(base, root)
  end
  local function write(path, lines)
    vim.fn.mkdir(vim.fs.dirname(vim.fs.joinpath(base, path)), 'p')
    vim.fn.writefile(lines, vim.fs.joinpath(base, path))
  end

  t.equal('.', root_of('cmd/a/main.go'), 'a package of the module')
  t.equal('.', root_of('cmd/b/main.go'), 'another')
  t.equal(1, #t.clients(), 'one server for both')

  write('work/go.work', { 'go 1.21', '', 'use ./one' })
  write('work/one/go.mod', { 'module example.com/one', '', 'go 1.21' })
  t.equal('work', root_of('work/one/main.go'), 'a module of a workspace')

  vim.uv.fs_unlink(vim.fs.joinpath(base, 'go.mod'))
  vim.fn.mkdir(vim.fs.joinpath(base, 'repository/.git'), 'p')
  t.equal('repository', root_of('repository/tool/main.go'), 'a repository without a module')
  t.equal(nil, root_of('lone/main.go'), 'a lone file')
end
