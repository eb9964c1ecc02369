import WireCore

/// An interface that could be captured on.
public struct InterfaceInfo: Sendable, Equatable {
    public var name: String
    /// What the system calls it besides its name; nil where it does not.
    public var description: String?
    /// IPv4 and IPv6 addresses in their usual notation.
    public var addresses: [String] = []
    /// How its frames may begin; the first is what a live capture takes. Empty when unknown.
    public var linkTypes: [LinkType] = []
    public var isUp = false
    public var isRunning = false
    public var isLoopback = false
    public var isWireless = false
    /// Whether there is a link (a cable, an access point); nil where that is unknown or means nothing.
    public var isConnected: Bool?
    /// The system lets this user capture there, at least once the interface is up.
    public var mayCapture = false
    /// Why no capture can begin there now, in the library's words; nil when one can.
    public var problem: String?

    public init(name: String) {
        self.name = name
    }

    /// All network interfaces, in the library's order: the likeliest ones first. Each is opened for a moment to learn
    /// its link types and whether this user may.
    public static func all() throws(LiveError) -> [InterfaceInfo] {
        var list = try InterfaceList.read()
        for index in list.indices { PcapHandle.examine(&list[index]) }
        return list
    }

    /// The command that lets this user capture.
    public static var remedy: String { CapturePermission.remedy }
}
