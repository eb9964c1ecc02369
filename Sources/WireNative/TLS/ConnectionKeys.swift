/// The keys of both directions that a key block is cut into (RFC 5246 §6.3).
public struct ConnectionKeys: Sendable, SecretHolder {
    public var clientMACKey: [UInt8]
    public var serverMACKey: [UInt8]
    public var clientKey: [UInt8]
    public var serverKey: [UInt8]
    public var clientIV: [UInt8]
    public var serverIV: [UInt8]
}
