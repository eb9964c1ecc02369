/// Rejoins IP fragments (RFC 791 §3.2, RFC 8200 §4.5).
///
/// Consumes packets of kind `.fragment`, returns a datagram as soon as its last missing byte arrives. Of bytes that
/// several fragments claim, the first seen count; in IPv6 a datagram with such bytes is given up (RFC 5722), but for
/// fragments that were merely sent twice. Fragments that never become a datagram are given up when they are
/// too old or when one of the limits needs their room, and then stand in `abandoned`: each fragment's frame is in a
/// returned datagram, in `abandoned`, or in what `takeOpen()` returns at the end, and only once.
package struct FragmentReassembler: Sendable {
    /// Sizes summed over frames of fragments.
    package struct Sums: Sendable, Equatable {
        package var frames = 0
        package var pseudo = 0
        package var link = 0
        package var tunnel = 0
        package var network = 0
        /// What the fragments carry, bytes sent twice included.
        package var payload = 0

        package init() {}

        package var frameBytes: Int { pseudo + link + tunnel + network + payload }

        mutating func add(_ packet: DecodedPacket) {
            frames += 1
            pseudo += packet.pseudo
            link += packet.link
            tunnel += packet.tunnel
            network += packet.network
            payload += packet.transport + packet.payload
        }

        mutating func add(_ other: Sums) {
            frames += other.frames
            pseudo += other.pseudo
            link += other.link
            tunnel += other.tunnel
            network += other.network
            payload += other.payload
        }
    }

    /// A datagram whose fragments were all seen.
    package struct Datagram: Sendable {
        /// What the IP header carried, up to the first byte that no fragment's capture holds.
        package var bytes: [UInt8]
        /// Length of what the IP header carried.
        package var length: Int
        package var sums: Sums
        /// The packet of the fragment that holds the beginning, with the sizes of all frames: `payload` is `length`,
        /// and bytes that were sent twice stand in `network`. Ready for `PacketDecoder.decodeTransport`.
        package var packet: DecodedPacket
        /// The frames' numbers, in the order in which they came; empty where nobody gave them.
        package var numbers: [Int] = []

        /// Every byte was captured.
        package var isKnown: Bool { bytes.count == length }
        /// Number of frames, repeated fragments included.
        package var frames: Int { sums.frames }
        /// Their original lengths.
        package var frameBytes: Int { sums.frameBytes }
        /// Their bytes at and above the innermost IP layer.
        package var internetBytes: Int { sums.network + sums.payload }
        /// `internetBytes` without the datagram's own content.
        package var networkBytes: Int { internetBytes - length }
        /// Their link and tunnel bytes.
        package var linkBytes: Int { sums.link + sums.tunnel }
    }

    /// Most datagrams that wait for fragments at one time.
    package let openLimit: Int
    /// Most bytes held for them.
    package let heldLimit: Int
    /// Longest wait between a datagram's first fragment and its last: nanoseconds of capture time.
    package let ageLimit: Int64

    private var open: [FragmentedDatagram.Key: FragmentedDatagram] = [:]
    /// Keys in the order their datagrams were opened, from `queueHead` on; a key whose serial number is not that of
    /// its open datagram is stale.
    private var queue: [(key: FragmentedDatagram.Key, serial: Int)] = []
    private var queueHead = 0
    private var serial = 0

    /// Bytes held at this time.
    package private(set) var heldBytes = 0
    /// Datagrams given up.
    package private(set) var evicted = 0
    /// Datagrams of which fragments contradict each other.
    package private(set) var contradictions = 0
    /// Datagrams given up for that reason; they count as evicted as well.
    package private(set) var refused = 0
    /// Those of them that were given up for a limit of number or bytes; the others were too old, or in too many pieces.
    package private(set) var crowdedOut = 0
    /// Frames of datagrams given up.
    package private(set) var abandoned = Sums()

    package init(openLimit: Int = 1024, heldLimit: Int = 4 << 20, ageLimit: Int64 = 30_000_000_000) {
        self.openLimit = openLimit
        self.heldLimit = heldLimit
        self.ageLimit = ageLimit
    }

    /// Datagrams that wait for fragments.
    package var openCount: Int { open.count }

    /// Takes a fragment.
    ///
    /// - Parameters:
    ///   - packet: A packet of kind `.fragment`.
    ///   - bytes: The frame's captured bytes, in which `packet.payloadOffset` counts.
    ///   - time: When the frame was captured, nanoseconds.
    ///   - frame: The frame's number, where somebody wants to know of which frames a datagram was made.
    /// - Returns: The datagram, if this fragment completes it.
    package mutating func add(
        _ packet: DecodedPacket, _ bytes: RawSpan, time: Int64, frame: Int? = nil
    ) -> Datagram? {
        giveUp(openedBefore: max(time, .min + ageLimit) - ageLimit)
        let key = FragmentedDatagram.Key(packet)
        let known = open.removeValue(forKey: key)
        if let known { heldBytes -= known.heldBytes }
        var datagram = known ?? openDatagram(key, packet, time: time)
        let wasContradictory = datagram.isContradictory
        let isSound = datagram.add(packet, bytes)
        if let frame { datagram.numbers.append(frame) }
        if datagram.isContradictory, !wasContradictory { contradictions += 1 }
        guard isSound else {
            if datagram.isContradictory { refused += 1 }
            giveUp(datagram)
            return nil
        }
        if datagram.isComplete { return datagram.finished() }
        heldBytes += datagram.heldBytes
        open[key] = datagram
        while heldBytes > heldLimit || open.count > openLimit {
            giveUpOldest()
            crowdedOut += 1
        }
        return nil
    }

    /// At the end: returns the frames of the datagrams that are still open, and forgets those.
    package mutating func takeOpen() -> Sums {
        var sums = Sums()
        for datagram in open.values { sums.add(datagram.sums) }
        open = [:]
        queue = []
        queueHead = 0
        heldBytes = 0
        return sums
    }

    // MARK: Limits

    private mutating func openDatagram(
        _ key: FragmentedDatagram.Key, _ packet: DecodedPacket, time: Int64
    ) -> FragmentedDatagram {
        if queue.count >= 4 * openLimit {
            queue = queue[queueHead...].filter { open[$0.key]?.serial == $0.serial }
            queueHead = 0
        }
        serial += 1
        queue.append((key, serial))
        return FragmentedDatagram(packet, serial: serial, openedAt: time)
    }

    private mutating func giveUp(openedBefore time: Int64) {
        while queueHead < queue.count {
            let (key, serial) = queue[queueHead]
            if let datagram = open[key], datagram.serial == serial {
                guard datagram.openedAt < time else { return }
                giveUpOldest()
            } else {
                queueHead += 1
            }
        }
    }

    private mutating func giveUpOldest() {
        while queueHead < queue.count {
            let (key, serial) = queue[queueHead]
            queueHead += 1
            guard let datagram = open[key], datagram.serial == serial else { continue }
            open[key] = nil
            heldBytes -= datagram.heldBytes
            giveUp(datagram)
            return
        }
    }

    private mutating func giveUp(_ datagram: FragmentedDatagram) {
        evicted += 1
        abandoned.add(datagram.sums)
    }
}
