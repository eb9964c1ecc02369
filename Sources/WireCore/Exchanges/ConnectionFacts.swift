/// What is known of a connection as a whole.
struct ConnectionFacts {
    let key: ConnectionKey
    /// When its latest packet was captured: nanoseconds. The latest of all, where the clock went back.
    var lastTime: Int64
    /// When it was closed; nil while it is open.
    var closedTime: Int64?
    /// A SYN was seen.
    var startWasSeen = false
    /// Bytes of a direction precede those that its reading began with: its SYN was captured late.
    var lacksStart = false
    /// Each direction was read from its first byte on, as far as the capture shows.
    var isReadFromStart: Bool { startWasSeen && !lacksStart }
    var close = ConnectionClose.open
    var transport = ConnectionTransport.tcp
    var flags: RecordFlags = []
    /// Flags that each of its exchanges gets.
    var doubts: RecordFlags = []
    /// The direction that the client sends, where a SYN proved it, or where exchanges were given out; else nil.
    var client: Direction?
    /// From 0 in the order of first packets, among those that are numbered together.
    let number: Int
    /// Its place in the store.
    let place: Int32
    let file: Int
    let firstPacket: Int
    /// Place of its first packet in the order in which the audit takes what comes.
    let ordinal: Int
    let firstTime: Int64
    /// Whom the client serves, where a PROXY header says so: the client is a proxy.
    var proxiedClient: Endpoint?
    /// Whose it is, where packets tell.
    var processes = ProcessTally()
    /// Name that the server's address had when the connection began. What DNS says later is not of it.
    private(set) var serverName: [UInt8]?
    /// Which endpoint that is the name of: it was taken for the server.
    private var namedEndpoint: Direction?
    /// What its acknowledgments show of the clocks of its directions.
    var clocks = ClockEvidence()

    @inline(__always)
    init(
        _ key: ConnectionKey, number: Int, place: Int, file: Int, firstPacket: Int, ordinal: Int, time: Int64
    ) {
        self.key = key
        self.number = number
        self.place = Int32(truncatingIfNeeded: place)
        self.file = file
        self.firstPacket = firstPacket
        self.ordinal = ordinal
        firstTime = time
        lastTime = time
    }
}

extension ConnectionFacts {
    /// Keeps the name of an endpoint that is taken for the server.
    mutating func introduce(_ endpoint: Direction, _ name: [UInt8]?) { (serverName, namedEndpoint) = (name, endpoint) }

    /// The name of the server, where the client is the sender of that direction.
    func serverName(client: Direction) -> [UInt8]? { namedEndpoint == client ? nil : serverName }

    /// What the client asked for, else the name that the address had when the connection began, else one that a record of
    /// the file gives: those stand behind the packets, too.
    func serverName(asked: [UInt8]?, client: Direction, _ context: borrowing StreamContext) -> [UInt8]? {
        asked ?? serverName(client: client)
            ?? context.names.recordedName(of: key.sender(of: client.opposite).address, at: context.findings.ordinal)
    }

    /// The address of whom the client serves: connections for others cannot stand in for this one.
    func servedAddress(client: Direction) -> IPAddress { (proxiedClient ?? key.sender(of: client)).address }

    /// What is told where keys are there and records stay unread.
    func finding(of blindness: TLSBlindness) -> FindingCode {
        blindness == .noHandshake && !startWasSeen && transport == .tcp ? .secrecyBeganBefore : .capturedInPart
    }

    /// A packet of the connection has come.
    @inline(__always)
    mutating func note(time: Int64) { lastTime = max(lastTime, time) }
}
