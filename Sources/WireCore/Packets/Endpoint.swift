/// An address and port.
public struct Endpoint: Hashable, Sendable {
    public var address: IPAddress
    public var port: UInt16

    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}
