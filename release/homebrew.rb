# Template of the Homebrew formula. release/package.sh fills in what stands between @.
class KubectlHpa < Formula
  desc "Explain why a HorizontalPodAutoscaler scales, or why it doesn't"
  homepage "@HOME@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_intel do
      url "@BASE@/kubectl-hpa-v@VERSION@-darwin-amd64.tar.gz"
      sha256 "@SHA256-darwin-amd64@"
    end
    on_arm do
      url "@BASE@/kubectl-hpa-v@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256-darwin-arm64@"
    end
  end

  on_linux do
    on_intel do
      url "@BASE@/kubectl-hpa-v@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256-linux-amd64@"
    end
    on_arm do
      url "@BASE@/kubectl-hpa-v@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256-linux-arm64@"
    end
  end

  def install
    bin.install "kubectl-hpa", "kubectl_complete-hpa"
    bash_completion.install "completions/kubectl-hpa.bash" => "kubectl-hpa"
    zsh_completion.install "completions/_kubectl-hpa"
    fish_completion.install "completions/kubectl-hpa.fish"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kubectl-hpa version --client")
  end
end
