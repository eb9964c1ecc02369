# Draft of a Homebrew formula. Untested: it was written without a Mac. The addresses are placeholders: there is no release yet.
class Wireaudit < Formula
  desc "Shows which HTTP API each byte of a packet capture belongs to"
  homepage "https://example.invalid/wireaudit"
  head "https://example.invalid/wireaudit.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "brotli"
  depends_on "libnghttp2"
  depends_on "libnghttp3"
  depends_on "libpcap"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "wireaudit"
    bin.install ".build/release/wireaudit"
    generate_completions_from_executable(bin/"wireaudit", "completion")
    (man1/"wireaudit.1").write Utils.safe_popen_read(bin/"wireaudit", "manual")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/wireaudit --version") unless head?
    assert_match "exchanges", shell_output("#{bin}/wireaudit --help")
  end
end
