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
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "lint" -d 'Find what is wrong with HPAs, in files or in a cluster'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "list" -d 'List HPAs, one line each: verdict, replicas, metric, unmet demand, findings'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "replay" -d 'Recompute a recording, reconcile by reconcile'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "rules" -d 'List the rules of `lint`, or print the page of one'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "version" -d 'Print the versions of client, server and known controllers'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "watch" -d 'Watch what HPAs do, live, with alarms'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s l -l selector -d 'The HPAs whose labels match, such as app=web,tier!=test' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s f -l file -d 'Read a snapshot, a recording or ordinary objects from a file instead of a cluster; - is standard input' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l at -d 'The moment: now, a time of day, or RFC 3339; in a recording the last reconcile up to then (default: its last)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s o -l output -d 'Output format, or a kubectl template over the JSON: jsonpath=\'{.verdict.to}\', jsonpath-as-json=…, jsonpath-file=FILE' -r -f -a "text\t'For people'
wide\t'For people, with every step and its formula'
markdown\t'For an issue or a post-mortem'
html\t'One self-contained file for a browser, with pictures'
json\t'For programs; the schema is docs/schema/explain.json'
yaml\t'For programs'
name\t'The names alone'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l template -d 'The template of -o jsonpath, or the file of -o jsonpath-file' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l allow-missing-template-keys -d 'Whether a field that a template names and that is not there is nothing instead of an error' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l set -d 'Explain as if a field of the spec had that value, such as maxReplicas=30 or \'metrics[name=cpu].resource.target.averageUtilization=70\'; PATH- removes it; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l with -d 'Explain as if the HPA had the spec that it has in this manifest; - is standard input' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l kube-version -d 'Version of kube-controller-manager, such as 1.36 (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s A -l all-namespaces -d 'The HPAs of all namespaces'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s v -l verbose -d 'Add every pod with its class and reason, and the function of the controller behind each step'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -l what-if -d 'Add what would be decided if one thing were different: a usage, a pod, a metric, a rule'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s l -l selector -d 'The HPAs whose labels match, such as app=web,tier!=test' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s o -l output -d 'Write to this file, compressed if its name ends in .gz or .zst; - is standard output' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l every -d 'Record over time: one snapshot at this interval (default: the controller\'s sync period)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l for -d 'Record for so long (default with --every: until Ctrl-C)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l kube-version -d 'Version of kube-controller-manager, such as 1.36 (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s A -l all-namespaces -d 'The HPAs of all namespaces'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -l no-redact -d 'Keep the answers of the API server whole as well: environment variables, annotations, arguments'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand capture" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s l -l selector -d 'The HPAs whose labels match, such as app=web,tier!=test' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l contexts -d 'Lint the clusters of these contexts of the kubeconfig in one run; \'*\' is all of them. May be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s f -l filename -d 'Lint files or the files of directories instead of a cluster; - is standard input. May be repeated' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l with -d 'Files that others refer to; they are not linted themselves. May be repeated' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l select -d 'Run these rules only: codes, names, families such as HPA3, or ALL' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l extend-select -d 'Run these rules, too, such as those that run only when they are asked for' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l ignore -d 'Don\'t run these rules' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l config -d 'Configuration file (default: .kubectl-hpa.yaml, looked for from the files\' folder upwards to the repository\'s)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s o -l output -d 'Output format' -r -f -a "text\t'For people: the lines concerned, and what to do'
concise\t'One line for each finding'
json\t'For programs; the schema is docs/schema/lint.json'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations of GitHub Actions'
gitlab\t'A code quality report of GitLab'
junit\t'JUnit XML, for Jenkins and others'
checkstyle\t'Checkstyle XML'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l output-file -d 'Write to a file, whole or not at all' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l fail-on -d 'Least severity that makes the exit code 1 (default: warning)' -r -f -a "error\t'Errors only'
warning\t'Warnings and errors'
info\t'Every finding'
never\t'None'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l baseline -d 'Accept the findings of this file, which --write-baseline wrote' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l write-baseline -d 'Write the findings to this file, to accept them from now on' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l kube-version -d 'Versions of Kubernetes: 1.36, or a range such as 1.30-1.36 or 1.33+ (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s A -l all-namespaces -d 'The HPAs of all namespaces'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s R -l recursive -d 'Go into the directories of directories'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l complete -d 'The given files are the whole desired state: what they don\'t have does not exist'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l observed -d 'The files are what a cluster answered: objects with their status, pods, metrics, or recordings'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l compare -d 'Compare the files with the HPAs of the same names in the cluster'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l strict -d 'Warn of a minimum that equals the maximum'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l no-config -d 'Read no configuration file'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l report-unused-suppressions -d 'Report annotations and comments that suppress nothing; each counts as a warning'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s q -l quiet -d 'Print the findings only: no notes, no summary, no warnings about the run'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l statistics -d 'Count the findings of each rule instead of printing them'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l exit-zero -d 'Exit code 0 even with findings'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l fix -d 'Put right in the files what can be put right without doubt; of standard input the text is printed'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -l diff -d 'Print what --fix would change, and change nothing; exit code 1 if that is anything'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand lint" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s l -l selector -d 'The HPAs whose labels match, such as app=web,tier!=test' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s o -l output -d 'Output format, or a kubectl template over the JSON: jsonpath=\'{.items..name}\', jsonpath-as-json=…, jsonpath-file=FILE' -r -f -a "text\t'For people: a line for each HPA'
wide\t'The same with target, rule, pods, selector, findings and the reason'
json\t'For programs; the schema is docs/schema/list.json'
yaml\t'For programs'
name\t'The names alone'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l template -d 'The template of -o jsonpath, or the file of -o jsonpath-file' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l allow-missing-template-keys -d 'Whether a field that a template names and that is not there is nothing instead of an error' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l sort-by -d 'Order: name, namespace, urgency, verdict, current, desired, unmet, age, findings, or a JSONPath over an item of the JSON, such as .verdict.rule' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l kube-version -d 'Version of kube-controller-manager, such as 1.36 (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s A -l all-namespaces -d 'The HPAs of all namespaces'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s w -l watch -d 'After the table, print a line whenever that of an HPA changes, until Ctrl-C'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l no-headers -d 'Print only the lines of the table: no names of columns, no summary'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -l show-labels -d 'Add a column with the labels of the HPAs'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l at -d 'Print one reconcile in full, as `explain` does: the last one up to a time of day, or RFC 3339' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -s o -l output -d 'Output format' -r -f -a "text\t'For people: one line per reconcile'
jsonl\t'For programs: one JSON object per reconcile'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l kube-version -d 'Version of kube-controller-manager, such as 1.36 (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l tui -d 'Go through the recording on a full screen: back and forth in time, at up to 60 times the speed'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -l check -d 'Exit with 1 if a recomputed reconcile differs from what the recording shows'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -s v -l verbose -d 'With --at: add every pod with its class and reason, and the function of the controller behind each step'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l family -d 'Only rules of a family' -r -f -a "schema\t'API version, schema, decoding'
bounds\t'Bounds'
metrics\t'Metrics and targets'
behavior\t'Behavior and tolerance'
target\t'Target, writers, disruption'
pods\t'Pods behind the target'
autoscalers\t'Other autoscalers'
cluster\t'Cluster'
status\t'Live status'
history\t'History'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l severity -d 'Only rules of this severity' -r -f -a "error\t'Rejected, provably without effect, or two writers that fight'
warning\t'Likely not what was meant'
info\t'Worth knowing'
note\t'What could not be checked, or had to be assumed'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l needs -d 'Only rules that need this' -r -f -a "manifest\t'The HPA\'s manifest alone'
related\t'Other manifests, or a cluster'
comparison\t'The manifest, and the HPA as the cluster has it'
cluster\t'A cluster'
recording\t'A recording'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l search -d 'Only rules with this text in their code, name or page, in any case' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -s o -l output -d 'Output format' -r -f -a "text\t'For people'
wide\t'For people, with what each rule needs and how it runs'
markdown\t'The pages as Markdown'
json\t'For programs; the schema is docs/schema/rules.json'
name\t'Codes and names alone'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l fixable -d 'Only rules whose findings --fix can correct'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -l opt-in -d 'Only rules that run when they are selected'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "json\t'For programs'
text\t'For people'
yaml\t'For programs, as YAML'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -l client -d 'Only what needs no cluster'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s l -l selector -d 'The HPAs whose labels match, such as app=web,tier!=test' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s o -l output -d 'Output format' -r -f -a "auto\t'Full screen on a terminal, else plain'
plain\t'For people: one line for each change that matters'
jsonl\t'For programs: one JSON object for each reconcile, alarm and trouble'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l until -d 'End as soon as this is true of all HPAs that are watched: the controller has scaled, nothing is about to change, all pods are ready, or there are so many replicas' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l timeout -d 'End after this time at the latest' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l record -d 'Record what is seen, for `replay`: compressed if the name ends in .gz or .zst' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l record-max-size -d 'Begin a new file when the recording gets this large, such as 64Mi, and keep the one before' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l on-alarm -d 'Run this command at each alarm, with the alarm as JSON on its standard input' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l kube-version -d 'Version of kube-controller-manager, such as 1.36 (default: the API server\'s)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l feature-gate -d 'A feature gate of kube-controller-manager; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-tolerance -d '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-downscale-stabilization -d '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-cpu-initialization-period -d '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-initial-readiness-delay -d '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-sync-period -d '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l assume-architecture -d 'Processor architecture of the controller: amd64 or arm64' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l kubeconfig -d 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s n -l namespace -d 'Namespace (default: the one of the context)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s s -l server -d 'Address and port of the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l as -d 'User name to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l as-user-extra -d 'Extra field of the user to impersonate; may be repeated' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l certificate-authority -d 'Path to a certificate file of the certificate authority' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: the connection is not secure' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l tls-server-name -d 'Name that the server\'s certificate must have (default: the host of the server\'s address)' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l request-timeout -d 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end' -r
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l cache-dir -d 'Accepted because kubectl has it; nothing is cached' -r -F
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l disable-compression -d 'Do not ask the server to compress its answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -l color -d 'When to use color' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s A -l all-namespaces -d 'The HPAs of all namespaces'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "explain" -d 'Explain why an HPA scales, or why it doesn\'t'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "capture" -d 'Save what an HPA decides from, once or over time, for `replay` and `explain -f`'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "lint" -d 'Find what is wrong with HPAs, in files or in a cluster'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "list" -d 'List HPAs, one line each: verdict, replicas, metric, unmet demand, findings'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "replay" -d 'Recompute a recording, reconcile by reconcile'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "rules" -d 'List the rules of `lint`, or print the page of one'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "version" -d 'Print the versions of client, server and known controllers'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "watch" -d 'Watch what HPAs do, live, with alarms'
complete -c kubectl-hpa -n "__fish_kubectl_hpa_using_subcommand help; and not __fish_seen_subcommand_from explain capture lint list replay rules version watch help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
