-- Completion, and words that are not understood.
return function(t)
  local function complete(text)
    return vim.fn.getcompletion(text, 'cmdline')
  end
  t.equal({
    'compare', 'env', 'explain', 'filter', 'hide', 'loc', 'next', 'pick', 'prev', 'qf', 'raw', 'restart',
    'run', 'show', 'stop', 'tree',
  }, complete('EscapeLens '), 'subcommands')
  t.equal({ 'raw', 'restart', 'run' }, complete('EscapeLens r'), 'subcommands in r')
  t.equal({ 'file', 'package', 'module' }, complete('EscapeLens run '), 'scopes')
  t.equal({}, complete('EscapeLens run file '), 'one scope only')
  t.equal({ 'moved' }, complete('EscapeLens filter escape m'), 'types in m')
  local left = complete('EscapeLens filter moved escape leak ')
  t.equal({ 'can-inline', 'inline-call', 'other' }, left, 'types left')
  t.equal({}, complete('EscapeLens stop '), 'nothing further')
  t.equal({ 'none', 'eol', 'inline' }, complete('EscapeLens show '), 'styles of virtual text')
  t.equal({ 'function' }, complete('EscapeLens tree module type fu'), 'a level of the tree')
  t.contains(table.concat(complete('EscapeLens env GOARCH='), ' '), 'GOARCH=arm64')

  local function notice_of(command)
    t.notices = {}
    vim.cmd(command)
    return t.notices[1]
  end
  t.contains(notice_of('EscapeLens fly'), 'no subcommand "fly"')
  t.contains(notice_of('EscapeLens filter heap'), '"heap" is none of moved, escape')
  t.contains(notice_of('EscapeLens run file package'), 'run takes at most 1')
  t.contains(notice_of('EscapeLens hide all'), 'hide takes no argument')
  t.contains(notice_of('EscapeLens run'), 'no server is attached')
end
