complete --keep-order --exclusive --command kubectl-hpa --arguments "(COMPLETE=fish kubectl-hpa -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
