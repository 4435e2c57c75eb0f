# formula.rb FORMULA FOLDER PREFIX: installs a Homebrew formula into PREFIX as brew does, and runs the formula's test.
#
# For release/try.sh, where there is no brew: the archives are in FOLDER instead of on the network. It knows the words
# that release/homebrew.rb uses, and refuses all others.
require "digest"
require "fileutils"
require "tmpdir"

# A folder of the prefix, as a formula writes to one.
class Place
  def initialize(path) = @path = path
  def to_s = @path

  # Copies files, under another name where one is given.
  def install(*files)
    FileUtils.mkdir_p(@path)
    files.flatten.each do |file|
      names = file.is_a?(Hash) ? file : { file => File.basename(file) }
      names.each { |from, to| FileUtils.cp(from, File.join(@path, to)) }
    end
  end
end

# The part of Homebrew's class that is used.
class Formula
  PLACES = {
    bin: "bin",
    bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d",
    man1: "share/man/man1",
  }.freeze

  class << self
    attr_reader :made, :checks

    def inherited(formula)
      super
      @made = formula
    end

    %i[desc homepage license version url sha256].each do |word|
      define_method(word) do |value = nil|
        @said ||= {}
        raise "#{word} is said twice" if value && @said.key?(word)

        @said[word] = value if value
        @said.fetch(word)
      end
    end

    def on_macos = RUBY_PLATFORM.include?("darwin") && yield
    def on_linux = RUBY_PLATFORM.include?("linux") && yield
    def on_intel = RUBY_PLATFORM.start_with?("x86_64") && yield
    def on_arm = RUBY_PLATFORM.match?(/^(aarch64|arm64)/) && yield
    def test(&block) = @checks = block
  end

  def initialize(prefix) = @prefix = prefix
  def version = self.class.version
  PLACES.each { |word, folder| define_method(word) { Place.new(File.join(@prefix, folder)) } }

  def shell_output(command)
    said = `#{command}`
    raise "#{command}: #{$?}" unless $?.success?

    said
  end

  def assert_match(wanted, said)
    raise "no #{wanted} in #{said}" unless said.include?(wanted)
  end
end

formula, folder, prefix = ARGV.map { |path| File.expand_path(path) }
load formula
klass = Formula.made
%i[desc homepage license].each { |word| klass.public_send(word) }
archive = File.join(folder, File.basename(klass.url))
sum = Digest::SHA256.file(archive).hexdigest
raise "#{archive} has #{sum}, not #{klass.sha256}" unless sum == klass.sha256

installed = klass.new(prefix)
Dir.mktmpdir do |work|
  Dir.chdir(work) do
    raise "#{archive} cannot be unpacked" unless system("tar", "-xzf", archive)

    installed.install
  end
end
installed.instance_exec(&klass.checks)
puts Dir.glob("**/*", base: prefix).select { |path| File.file?(File.join(prefix, path)) }.sort
