/// Versions of TLS as the wire writes them.
enum ProtocolVersion {
    static let ssl3: UInt16 = 0x0300
    static let tls10: UInt16 = 0x0301
    static let tls12: UInt16 = 0x0303
    static let tls13: UInt16 = 0x0304
}
