/// A link-layer header type, as registered for pcap and pcapng (LINKTYPE_ values).
public struct LinkType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let ethernet = LinkType(rawValue: 1)
}
