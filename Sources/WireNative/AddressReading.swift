import Platform

/// Internet addresses that are written as text.
package enum AddressReading {
    /// The bytes of an address in dotted decimals, or in the form of RFC 4291 §2.2; nil for anything else.
    package static func bytes(of text: [UInt8], isVersion6: Bool) -> [UInt8]? {
        guard text.count < Int(INET6_ADDRSTRLEN), !text.contains(0) else { return nil }
        var address = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        let family = isVersion6 ? AF_INET6 : AF_INET
        let isRead = unsafe inet_pton(family, text.map { CChar(bitPattern: $0) } + [0], &address) == 1
        return isRead ? address : nil
    }
}
