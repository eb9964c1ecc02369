/// What was decoded and compressed again.
public struct ContentWork: Sendable {
    public var decodedBodies = 0
    public var codedBytes = 0
    public var decodedBytes = 0
    public var recompressedBodies = 0
    public var recompressedBytes = 0
    /// Bodies whose sizes were known from an equal body before.
    public var remembered = 0
    /// Bodies whose content could not be decoded or was beyond the limits.
    public var undecodable = 0

    public init() {}
}
