# Sourced by what reads from a fake API server: `fake_cluster HPAS PODS NAMESPACES [TARGETS]` starts benches/list_server.py and sets
# KUBECONFIG, below the folder $work; end_fake_cluster ends it. The server shares the cores with the program; it only sends
# what it made beforehand. Needs Python.

fake_cluster() {
  local port
  coproc SERVER { exec python3 benches/list_server.py "$@"; }
  server=$SERVER_PID
  read -r port <&"${SERVER[0]}"
  export KUBECONFIG=$work/kubeconfig
  cat >"$KUBECONFIG" <<Y
apiVersion: v1
kind: Config
current-context: fake
clusters:
- {name: fake, cluster: {server: "http://127.0.0.1:$port"}}
contexts:
- {name: fake, context: {cluster: fake, user: fake, namespace: team-00}}
users:
- {name: fake, user: {token: none}}
Y
}

end_fake_cluster() {
  [ -n "${server:-}" ] || return 0
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
}
