
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kubectl-hpa' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kubectl-hpa'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kubectl-hpa' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain why an HPA scales, or why it doesn''t')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Save what an HPA decides from, once or over time, for `replay` and `explain -f`')
            [CompletionResult]::new('lint', 'lint', [CompletionResultType]::ParameterValue, 'Find what is wrong with HPAs, in files or in a cluster')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List HPAs, one line each: verdict, replicas, metric, unmet demand, findings')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Recompute a recording, reconcile by reconcile')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules of `lint`, or print the page of one')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the versions of client, server and known controllers')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Watch what HPAs do, live, with alarms')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-hpa;explain' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read a snapshot, a recording or ordinary objects from a file instead of a cluster; - is standard input')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Read a snapshot, a recording or ordinary objects from a file instead of a cluster; - is standard input')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment: now, a time of day, or RFC 3339; in a recording the last reconcile up to then (default: its last)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format, or a kubectl template over the JSON: jsonpath=''{.verdict.to}'', jsonpath-as-json=…, jsonpath-file=FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format, or a kubectl template over the JSON: jsonpath=''{.verdict.to}'', jsonpath-as-json=…, jsonpath-file=FILE')
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'The template of -o jsonpath, or the file of -o jsonpath-file')
            [CompletionResult]::new('--allow-missing-template-keys', '--allow-missing-template-keys', [CompletionResultType]::ParameterName, 'Whether a field that a template names and that is not there is nothing instead of an error')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Explain as if a field of the spec had that value, such as maxReplicas=30 or ''metrics[name=cpu].resource.target.averageUtilization=70''; PATH- removes it; may be repeated')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Explain as if the HPA had the spec that it has in this manifest; - is standard input')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Version of kube-controller-manager, such as 1.36 (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Add every pod with its class and reason, and the function of the controller behind each step')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Add every pod with its class and reason, and the function of the controller behind each step')
            [CompletionResult]::new('--what-if', '--what-if', [CompletionResultType]::ParameterName, 'Add what would be decided if one thing were different: a usage, a pod, a metric, a rule')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;capture' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to this file, compressed if its name ends in .gz or .zst; - is standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to this file, compressed if its name ends in .gz or .zst; - is standard output')
            [CompletionResult]::new('--every', '--every', [CompletionResultType]::ParameterName, 'Record over time: one snapshot at this interval (default: the controller''s sync period)')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Record for so long (default with --every: until Ctrl-C)')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Version of kube-controller-manager, such as 1.36 (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Keep the answers of the API server whole as well: environment variables, annotations, arguments')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;lint' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--contexts', '--contexts', [CompletionResultType]::ParameterName, 'Lint the clusters of these contexts of the kubeconfig in one run; ''*'' is all of them. May be repeated')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Lint files or the files of directories instead of a cluster; - is standard input. May be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Lint files or the files of directories instead of a cluster; - is standard input. May be repeated')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Files that others refer to; they are not linted themselves. May be repeated')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Run these rules only: codes, names, families such as HPA3, or ALL')
            [CompletionResult]::new('--extend-select', '--extend-select', [CompletionResultType]::ParameterName, 'Run these rules, too, such as those that run only when they are asked for')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Don''t run these rules')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file (default: .kubectl-hpa.yaml, looked for from the files'' folder upwards to the repository''s)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output-file', '--output-file', [CompletionResultType]::ParameterName, 'Write to a file, whole or not at all')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Least severity that makes the exit code 1 (default: warning)')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Accept the findings of this file, which --write-baseline wrote')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write the findings to this file, to accept them from now on')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Versions of Kubernetes: 1.36, or a range such as 1.30-1.36 or 1.33+ (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Go into the directories of directories')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Go into the directories of directories')
            [CompletionResult]::new('--complete', '--complete', [CompletionResultType]::ParameterName, 'The given files are the whole desired state: what they don''t have does not exist')
            [CompletionResult]::new('--observed', '--observed', [CompletionResultType]::ParameterName, 'The files are what a cluster answered: objects with their status, pods, metrics, or recordings')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Compare the files with the HPAs of the same names in the cluster')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Warn of a minimum that equals the maximum')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Read no configuration file')
            [CompletionResult]::new('--report-unused-suppressions', '--report-unused-suppressions', [CompletionResultType]::ParameterName, 'Report annotations and comments that suppress nothing; each counts as a warning')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the findings only: no notes, no summary, no warnings about the run')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the findings only: no notes, no summary, no warnings about the run')
            [CompletionResult]::new('--statistics', '--statistics', [CompletionResultType]::ParameterName, 'Count the findings of each rule instead of printing them')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit code 0 even with findings')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Put right in the files what can be put right without doubt; of standard input the text is printed')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print what --fix would change, and change nothing; exit code 1 if that is anything')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;list' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format, or a kubectl template over the JSON: jsonpath=''{.items..name}'', jsonpath-as-json=…, jsonpath-file=FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format, or a kubectl template over the JSON: jsonpath=''{.items..name}'', jsonpath-as-json=…, jsonpath-file=FILE')
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'The template of -o jsonpath, or the file of -o jsonpath-file')
            [CompletionResult]::new('--allow-missing-template-keys', '--allow-missing-template-keys', [CompletionResultType]::ParameterName, 'Whether a field that a template names and that is not there is nothing instead of an error')
            [CompletionResult]::new('--sort-by', '--sort-by', [CompletionResultType]::ParameterName, 'Order: name, namespace, urgency, verdict, current, desired, unmet, age, findings, or a JSONPath over an item of the JSON, such as .verdict.rule')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Version of kube-controller-manager, such as 1.36 (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'After the table, print a line whenever that of an HPA changes, until Ctrl-C')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'After the table, print a line whenever that of an HPA changes, until Ctrl-C')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print only the lines of the table: no names of columns, no summary')
            [CompletionResult]::new('--show-labels', '--show-labels', [CompletionResultType]::ParameterName, 'Add a column with the labels of the HPAs')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;replay' {
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Print one reconcile in full, as `explain` does: the last one up to a time of day, or RFC 3339')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Version of kube-controller-manager, such as 1.36 (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('--tui', '--tui', [CompletionResultType]::ParameterName, 'Go through the recording on a full screen: back and forth in time, at up to 60 times the speed')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Exit with 1 if a recomputed reconcile differs from what the recording shows')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'With --at: add every pod with its class and reason, and the function of the controller behind each step')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'With --at: add every pod with its class and reason, and the function of the controller behind each step')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;rules' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only rules of a family')
            [CompletionResult]::new('--severity', '--severity', [CompletionResultType]::ParameterName, 'Only rules of this severity')
            [CompletionResult]::new('--needs', '--needs', [CompletionResultType]::ParameterName, 'Only rules that need this')
            [CompletionResult]::new('--search', '--search', [CompletionResultType]::ParameterName, 'Only rules with this text in their code, name or page, in any case')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('--fixable', '--fixable', [CompletionResultType]::ParameterName, 'Only rules whose findings --fix can correct')
            [CompletionResult]::new('--opt-in', '--opt-in', [CompletionResultType]::ParameterName, 'Only rules that run when they are selected')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('--client', '--client', [CompletionResultType]::ParameterName, 'Only what needs no cluster')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;watch' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The HPAs whose labels match, such as app=web,tier!=test')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'End as soon as this is true of all HPAs that are watched: the controller has scaled, nothing is about to change, all pods are ready, or there are so many replicas')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End after this time at the latest')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Record what is seen, for `replay`: compressed if the name ends in .gz or .zst')
            [CompletionResult]::new('--record-max-size', '--record-max-size', [CompletionResultType]::ParameterName, 'Begin a new file when the recording gets this large, such as 64Mi, and keep the one before')
            [CompletionResult]::new('--on-alarm', '--on-alarm', [CompletionResultType]::ParameterName, 'Run this command at each alarm, with the alarm as JSON on its standard input')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'Version of kube-controller-manager, such as 1.36 (default: the API server''s)')
            [CompletionResult]::new('--feature-gate', '--feature-gate', [CompletionResultType]::ParameterName, 'A feature gate of kube-controller-manager; may be repeated')
            [CompletionResult]::new('--assume-tolerance', '--assume-tolerance', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-tolerance of the controller, such as 0.1')
            [CompletionResult]::new('--assume-downscale-stabilization', '--assume-downscale-stabilization', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-downscale-stabilization of the controller, such as 5m')
            [CompletionResult]::new('--assume-cpu-initialization-period', '--assume-cpu-initialization-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-cpu-initialization-period of the controller, such as 5m')
            [CompletionResult]::new('--assume-initial-readiness-delay', '--assume-initial-readiness-delay', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-initial-readiness-delay of the controller, such as 30s')
            [CompletionResult]::new('--assume-sync-period', '--assume-sync-period', [CompletionResultType]::ParameterName, '--horizontal-pod-autoscaler-sync-period of the controller, such as 15s')
            [CompletionResult]::new('--assume-architecture', '--assume-architecture', [CompletionResultType]::ParameterName, 'Processor architecture of the controller: amd64 or arm64')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config)')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Name of the kubeconfig context to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Name of the kubeconfig cluster to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Name of the kubeconfig user to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace (default: the one of the context)')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address and port of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User name to impersonate')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field of the user to impersonate; may be repeated')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Path to a certificate file of the certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Path to a client certificate file for TLS')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'Path to a client key file for TLS')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: the connection is not secure')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have (default: the host of the server''s address)')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer of the server, such as 5s; a bare number is seconds, 0 is without end')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it; nothing is cached')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask the server to compress its answers')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'The HPAs of all namespaces')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-hpa;help' {
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain why an HPA scales, or why it doesn''t')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Save what an HPA decides from, once or over time, for `replay` and `explain -f`')
            [CompletionResult]::new('lint', 'lint', [CompletionResultType]::ParameterValue, 'Find what is wrong with HPAs, in files or in a cluster')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List HPAs, one line each: verdict, replicas, metric, unmet demand, findings')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Recompute a recording, reconcile by reconcile')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules of `lint`, or print the page of one')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the versions of client, server and known controllers')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Watch what HPAs do, live, with alarms')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-hpa;help;explain' {
            break
        }
        'kubectl-hpa;help;capture' {
            break
        }
        'kubectl-hpa;help;lint' {
            break
        }
        'kubectl-hpa;help;list' {
            break
        }
        'kubectl-hpa;help;replay' {
            break
        }
        'kubectl-hpa;help;rules' {
            break
        }
        'kubectl-hpa;help;version' {
            break
        }
        'kubectl-hpa;help;watch' {
            break
        }
        'kubectl-hpa;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
