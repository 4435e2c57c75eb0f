# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_hpa_global_optspecs
    string join \n color= h/help V/version
end

function __fish_kubectl_hpa_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kubectl_hpa_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kubectl_hpa_using_subcommand
    set -l cmd (__fish_kubectl_hpa_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -s V -l version -d 'Print version'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "explain" -d 'Explain why an HPA scales, or why it doesn\'t'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "capture" -d 'Save what an HPA decides from, once or over time, for `replay` and `explain -f`'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "replay" -d 'Recompute a recording, reconcile by reconcile'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "version" -d 'Print the versions of client, server and known controllers'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s o -l output -d 'Output format' -r -f -a "text\t'For people'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l kubeconfig -d 'Path to the kubeconfig file' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -s o -l output -d 'Output format' -r -f -a "text\t'For people'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "text\t'For people'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture replay version help" -f -a "explain" -d 'Explain why an HPA scales, or why it doesn\'t'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture replay version help" -f -a "capture" -d 'Save what an HPA decides from, once or over time, for `replay` and `explain -f`'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture replay version help" -f -a "replay" -d 'Recompute a recording, reconcile by reconcile'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture replay version help" -f -a "version" -d 'Print the versions of client, server and known controllers'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture replay version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
