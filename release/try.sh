#!/usr/bin/env bash
# try.sh FOLDER [ROOT]: installs what is in FOLDER/dist in each way that works offline, as somebody without Rust would,
# runs it through kubectl, and uninstalls it. FOLDER is that of release/build.sh.
#
# Without ROOT it uses an empty home on this machine: the archive, krew under both names, and with Ruby the Homebrew
# formula. ROOT is a clean root file system that may be changed, as `debootstrap --variant=minbase stable ROOT` makes
# one; in it .deb, .rpm and the container image are tried, too, which only root may do. With buildah the image is built;
# with --include=bash-completion,fish,zsh the shells complete what the package brings.
# Needs kubectl and krew: KUBECTL=… and KREW=… or on the PATH.
set -euo pipefail
if (($# < 1 || $# > 2)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
dist=$(cd "$1/dist" && pwd)
image=$dist/../image
root=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
kubectl=$(command -v "${KUBECTL:-kubectl}")
krew=$(command -v "${KREW:-krew}")
case $(uname -s)/$(uname -m) in
  Linux/x86_64) platform=linux-amd64 ;;
  Linux/aarch64) platform=linux-arm64 ;;
  Darwin/x86_64) platform=darwin-amd64 ;;
  Darwin/arm64) platform=darwin-arm64 ;;
  *) echo "error: there is no archive for $(uname -sm)" >&2 && exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# The home is /srv/operator in ROOT, and a new folder without it.
home=${root:+/srv/operator}
home=${home:-$work/home}
rm -rf "${root}$home"
mkdir -p "${root}$home"/{tools,download,.local/bin,.krew/bin}
cp "$kubectl" "${root}$home/tools/kubectl"
cp "$krew" "${root}$home/tools/krew"
# krew lists and uninstalls only where it finds its index, which it would clone from the network.
mkdir -p "${root}$home/.krew/index/default/.git"
cp "$dist"/* examples/not-ready-pods.jsonl "${root}$home/download/"
[[ -z $root ]] || chown -R 1000:1000 "$root$home"

# Commands run with an empty environment: `user` for the operator, `admin` for root in ROOT.
clean=(env -i LC_ALL=C.UTF-8 "HOME=$home" "PATH=$home/.local/bin:$home/.krew/bin:$home/tools:/usr/sbin:/usr/bin:/sbin:/bin")
user() {
  if [[ -n $root ]]; then chroot --userspec 1000:1000 "$root" "${clean[@]}" sh -euc "cd ~/download; $1"
  else "${clean[@]}" sh -euc "cd ~/download; $1"; fi
}
admin() { chroot "$root" "${clean[@]}" sh -euc "cd $home/download; $1"; }

# works NAME: `kubectl NAME` is this release, and explains a recorded decision with commands of that name.
works() {
  user "kubectl $1 version --client"
  user "kubectl $1 explain -f not-ready-pods.jsonl" >"$work/page"
  grep -q "kubectl $1 explain --learn" "$work/page" || { cat "$work/page" && exit 1; }
}
# completes NAME: kubectl completes the plugin's commands, as Tab asks it to.
completes() {
  user "kubectl __complete $1 exp 2>/dev/null" | grep -x 'explain.*' || { echo "error: no completion" >&2 && exit 1; }
}
# in_shells: those of bash, zsh and fish that are in ROOT find the package's files by themselves, and complete.
in_shells() {
  local bash=/usr/share/bash-completion/bash_completion
  if [[ -e $root$bash ]]; then
    user "bash -c '. $bash; _comp_load kubectl-hpa || _completion_loader kubectl-hpa; complete -p kubectl-hpa' 2>/dev/null"
  else
    user "bash -c '. /usr/share/bash-completion/completions/kubectl-hpa && complete -p kubectl-hpa'"
  fi
  if [[ -x $root/usr/bin/zsh ]]; then
    user "zsh -fc 'autoload -Uz compinit; compinit -u -D; print -- zsh: \$_comps[kubectl-hpa]' | grep -x 'zsh: _kubectl-hpa'"
  fi
  if [[ -x $root/usr/bin/fish ]]; then
    user "fish -c 'complete -C \"kubectl-hpa exp\"' | grep '^explain'"
  fi
}
gone() {
  if user "kubectl $1 version --client" 2>/dev/null; then echo "error: kubectl $1 is still there" >&2 && exit 1; fi
}
say() { printf '\n== %s\n' "$*"; }

say "a clean place: no Rust, no plugin"
if user "command -v cargo || command -v rustc || command -v kubectl-hpa"; then
  echo "error: that is not clean" >&2
  exit 1
fi

say "archive: verify, unpack into the PATH, run, remove"
archive=kubectl-hpa-$(sed -n 's/^version = "\(.*\)"$/v\1/p' Cargo.toml | head -1)-$platform.tar.gz
user "sha256sum --check --ignore-missing --strict SHA256SUMS"
user "tar -xzf $archive -C ~/.local/bin kubectl-hpa kubectl_complete-hpa"
works hpa
completes hpa
user "SHELL=/bin/bash kubectl hpa completion install; kubectl hpa completion uninstall"
user "rm ~/.local/bin/kubectl-hpa ~/.local/bin/kubectl_complete-hpa"
gone hpa

for name in hpa explain-hpa; do
  say "krew, as $name: install, run, uninstall"
  user "krew install --manifest=$name.yaml --archive=$archive </dev/null 2>&1"
  works "$name"
  # As the caveat says.
  user "$(sed -n 's/^ *\(kubectl .* completion install\)$/\1/p' "$dist/$name.yaml")"
  completes "$name"
  user "kubectl $name completion uninstall"
  user "krew list | cat; krew uninstall $name 2>&1"
  gone "$name"
done

if [[ ! -f $dist/kubectl-hpa.rb ]]; then
  say "no Homebrew formula: an archive that it names was not built"
elif ! command -v ruby >/dev/null; then
  say "the Homebrew formula is not tried: there is no Ruby"
else
  say "Homebrew formula, played as brew does: check the sum, install, test"
  ruby release/formula.rb "$dist/kubectl-hpa.rb" "$dist" "$work/brew"
fi

if [[ -z $root ]]; then
  printf '\n== archive and krew work\n'
  exit
fi
arch=${platform#linux-}

say ".deb: install, completion in place, run, purge"
deb=${archive%.tar.gz}.deb
admin "dpkg --install $deb && dpkg --status kubectl-hpa | sed -n '1,/^Architecture/p'"
admin "for file in bash-completion/completions/kubectl-hpa zsh/vendor-completions/_kubectl-hpa fish/vendor_completions.d/kubectl-hpa.fish man/man1/kubectl-hpa-explain.1.gz; do
  test -s /usr/share/\$file && echo \"/usr/share/\$file\"; done"
works hpa
completes hpa
in_shells
admin "dpkg --purge kubectl-hpa"
gone hpa
admin "test ! -e /usr/share/doc/kubectl-hpa"

say ".rpm: install, run, erase"
rpm=${archive%.tar.gz}.rpm
rpm --root "$root" --dbpath /var/lib/rpm --initdb
rpm --root "$root" --dbpath /var/lib/rpm --install "$home/download/$rpm" 2>/dev/null ||
  rpm --root "$root" --dbpath /var/lib/rpm --install "$root$home/download/$rpm"
rpm --root "$root" --dbpath /var/lib/rpm --query --list kubectl-hpa
works hpa
completes hpa
rpm --root "$root" --dbpath /var/lib/rpm --erase kubectl-hpa
gone hpa

# image_of ARCH: builds the image and prints where its files are.
image_of() {
  local storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs) platform="linux/$1" user
  # The layer with the binary must not come from another platform's image.
  buildah "${storage[@]}" build --isolation chroot --no-cache --platform "$platform" --tag "hpa:$1" "$image" >&2
  user=$(buildah "${storage[@]}" inspect --type image --format '{{.OCIv1.Architecture}} {{.OCIv1.Config.User}}' "hpa:$1")
  [[ $user == "$1 65532:65532" ]] || { echo "error: the image is for $user" >&2 && return 1; }
  buildah "${storage[@]}" mount "$(buildah "${storage[@]}" from --platform "$platform" "hpa:$1")"
}

if command -v buildah >/dev/null; then
  say "container image: built by buildah for each platform, run as its user"
  for binary in "$image"/linux/*/kubectl-hpa; do
    built=${binary%/*}
    built=${built##*/}
    files=$(image_of "$built")
    cmp "$binary" "$files/kubectl-hpa"
    [[ $built != "$arch" ]] || contained=$files
  done
else
  say "container image: the files that release/Containerfile names in a root of their own, as its user; buildah is not here"
  contained=$work/image
  mkdir "$contained"
  cp "$image/linux/$arch/kubectl-hpa" "$image/LICENSE" "$contained/"
  chmod 755 "$work" "$contained" "$contained/kubectl-hpa"
fi
chroot --userspec 65532:65532 "$contained" /kubectl-hpa version --client
chroot --userspec 65532:65532 "$contained" /kubectl-hpa explain -f - <examples/not-ready-pods.jsonl | head -3

printf '\n== archive, krew, .deb, .rpm and image work\n'
