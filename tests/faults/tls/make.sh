#!/usr/bin/env bash
# Makes the certificates of the tests anew, for a century: an authority, and what it signed. The keys protect nothing.
set -euo pipefail
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

# signed NAME ALTERNATIVE BEGIN END
signed() {
  openssl req -new -key server.key -subj "/CN=$1" -out "$made/$1.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n' "$2" >"$made/extensions"
  : >"$made/index"
  openssl ca -batch -notext -md sha256 -config <(printf '[ca]\ndefault_ca=one\n[one]\ndatabase=%s/index\nrand_serial=yes\nnew_certs_dir=%s\npolicy=any\n[any]\ncommonName=supplied\n' "$made" "$made") \
    -cert authority.crt -keyfile "$made/authority.key" -in "$made/$1.csr" -startdate "$3" -enddate "$4" \
    -extfile "$made/extensions" -out "$1.crt"
}

key "$made/authority.key"
openssl req -x509 -new -key "$made/authority.key" -subj "/CN=authority of the tests" -days 36500 -out authority.crt
key server.key
signed right IP:127.0.0.1 20250101000000Z 21250101000000Z
signed elsewhere DNS:elsewhere.example.com 20250101000000Z 21250101000000Z
signed expired IP:127.0.0.1 20240101000000Z 20250101000000Z
