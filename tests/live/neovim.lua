-- Opens the file of $TEST_FILE with the language server $TEST_SERVER, types, acts, and writes what it saw to $TEST_SEEN.
local seen = {}

local function wait(what, is_so)
  if not vim.wait(60000, is_so, 20) then
    error('waited for ' .. what)
  end
end

local function diagnostics()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, {
      code = one.code or one.user_data.lsp.code,
      line = one.lnum,
      column = one.col,
      end_column = one.end_col,
      severity = one.severity,
      source = one.source,
      message = one.message,
    })
  end
  return found
end

local function codes()
  local codes = {}
  for _, one in ipairs(diagnostics()) do
    table.insert(codes, one.code)
  end
  table.sort(codes)
  return table.concat(codes, ' ')
end

local function answer(client, method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  local one = answers and answers[client]
  if not one or one.err then
    error(method .. ': ' .. vim.inspect(answers))
  end
  return one.result
end

local function run()
  vim.cmd('edit ' .. vim.env.TEST_FILE)
  local start = vim.lsp.start_client or function(config)
    return vim.lsp.start(config, { attach = false })
  end
  local client = start({
    name = 'kubectl-hpa',
    cmd = { vim.env.TEST_SERVER, 'lint', '--lsp', '--select', 'HPA102,min-unset' },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  wait('the first diagnostics', function() return codes() == 'HPA102' end)
  seen.first = diagnostics()

  -- The lower bound is deleted, and not saved.
  local last = vim.api.nvim_buf_get_lines(0, -2, -1, false)[1]
  local changed = last:gsub('minReplicas: 3, ', '')
  vim.api.nvim_buf_set_lines(0, -2, -1, false, { changed })
  wait('those of the change', function() return codes() == 'HPA103' end)
  seen.changed = diagnostics()

  local place = seen.changed[1]
  vim.api.nvim_win_set_cursor(0, { place.line + 1, place.column })
  local at = vim.lsp.util.make_position_params(0, 'utf-16')
  seen.hover = answer(client, 'textDocument/hover', at).contents
  local here = { start = at.position, ['end'] = at.position }
  local actions = answer(client, 'textDocument/codeAction', {
    textDocument = at.textDocument,
    range = here,
    context = { diagnostics = {} },
  })
  seen.titles = {}
  for _, action in ipairs(actions) do
    table.insert(seen.titles, action.title)
  end
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait('those after the fix', function() return codes() == '' end)
  seen.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd('write')

  -- The same mistake again, and the action that makes all fixes.
  local function make_mistake()
    vim.api.nvim_buf_set_lines(0, -2, -1, false, { changed })
    wait('those of the mistake', function() return codes() == 'HPA103' end)
  end
  make_mistake()
  local context = { only = { 'source.fixAll' }, diagnostics = {} }
  if vim.fn.has('nvim-0.8') == 1 then
    vim.lsp.buf.code_action({ context = context, apply = true })
  else
    vim.ui.select = function(items, _, choose)
      seen.choices = #items
      choose(items[1])
    end
    vim.lsp.buf.code_action(context)
  end
  wait('those after all fixes', function() return codes() == '' end)
  seen.all = vim.api.nvim_buf_get_lines(0, 0, -1, false)

  -- And once more when the file is saved, as the documentation sets it up.
  make_mistake()
  dofile(vim.env.TEST_ON_SAVE)
  vim.cmd('write')
  seen.on_save = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.lsp.stop_client(client)
  wait('the end of the server', function() return vim.lsp.client_is_stopped(client) end)
end

local is_done, problem = pcall(run)
if not is_done then
  seen.problem = tostring(problem)
end
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.TEST_SEEN)
vim.cmd('qall!')
