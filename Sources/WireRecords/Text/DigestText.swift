import WireNative

/// The SHA-256 of UTF-8, as a content security policy names it: in Base64 of RFC 4648, section 4.
package func sha256Text(_ text: String) -> String {
    let bytes = ShortDigest.sha256(Array(text.utf8))
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var digest = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0..<4 { digest.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
    }
    return digest
}
