import WireCapture

/// What the values of the live capture's options mean, and what a live capture needs.
extension ArgumentParser {
    /// What the library takes of a frame at most.
    private static let longestSnapshot = 262_144
    /// Smaller buffers hold no frame, and the library counts in 32 bits.
    private static let bufferSizes = 64 << 10...Int(Int32.max)

    func applyLive(
        _ option: Option, _ value: String, _ spelling: String, to invocation: inout Invocation
    ) throws(UsageError) {
        switch option {
        case .interface: try addInterface(value, spelling, to: &invocation)
        case .write:
            let path = try text(value, spelling)
            invocation.live.evidence = path == "/dev/stdout" ? "-" : path
        case .rotate: invocation.live.rotation = try rotation(value, spelling)
        case .duration: invocation.live.duration = try time(value, spelling)
        case .packets: invocation.live.packets = try count(value, spelling, orAll: false)
        case .exchanges: invocation.live.exchanges = try count(value, spelling, orAll: false)
        case .snapshotLength:
            let length = try count(value, spelling, orAll: false)
            guard length <= Self.longestSnapshot else {
                throw UsageError(message: "\(spelling) can be \(Self.longestSnapshot) at most; that is the default")
            }
            invocation.live.snapshotLength = length
        case .buffer: invocation.live.bufferSize = try buffer(value, spelling)
        case .immediate: invocation.live.deliversImmediately = true
        case .noPromiscuous: invocation.live.isPromiscuous = false
        case .user: invocation.live.user = try text(value, spelling)
        default: break
        }
    }

    /// Packets that come twice would be counted twice.
    private func addInterface(
        _ value: String, _ spelling: String, to invocation: inout Invocation
    ) throws(UsageError) {
        let name = try text(value, spelling)
        if invocation.interfaces.contains(name) {
            throw UsageError(message: "\(spelling) \(printable(name)) is given twice")
        }
        invocation.interfaces.append(name)
        if invocation.interfaces.count > 1, invocation.interfaces.contains("any") {
            throw UsageError(message: "\(spelling) any stands for all interfaces; leave the others out")
        }
    }

    private func rotation(_ value: String, _ spelling: String) throws(UsageError) -> CaptureRotation {
        do throws(CaptureRotation.Malformed) {
            return try CaptureRotation(parsing: value)
        } catch {
            throw UsageError(message: "\(spelling) cannot be '\(printable(value))': \(printable(error.reason))")
        }
    }

    private func buffer(_ value: String, _ spelling: String) throws(UsageError) -> Int {
        guard case .bytes(let size)? = try? Quantity(parsing: value) else {
            throw UsageError(message: "\(spelling) needs a size such as 64MiB, not '\(printable(value))'")
        }
        guard Self.bufferSizes.contains(size) else {
            throw UsageError(message: "\(spelling) can be 64KiB to 2047MiB, not '\(printable(value))'")
        }
        return size
    }

    private func time(_ value: String, _ spelling: String) throws(UsageError) -> Int64 {
        if case .nanoseconds(let time)? = try? Quantity(parsing: value), time > 0 { return time }
        throw UsageError(message: "\(spelling) needs a time such as 30s, 10min or 1h, not '\(printable(value))'")
    }

    // MARK: All together

    /// Live captures read no file, need an interface, and write each thing to a place of its own.
    func checkLive(_ invocation: Invocation, operands: [String]) throws(UsageError) {
        if let word = operands.first {
            let hint =
                word.hasSuffix(".pcap") || word.hasSuffix(".pcapng") || word == "-"
                ? "'wireaudit \(printable(word))' audits a file" : "did you mean '-i \(printable(word))'?"
            throw UsageError(message: "live takes options only, not '\(printable(word))'; \(hint)")
        }
        guard !invocation.interfaces.isEmpty else {
            throw UsageError(message: "live needs -i IFACE; 'wireaudit interfaces' lists them")
        }
        guard let evidence = invocation.live.evidence else {
            if invocation.live.rotation != nil { throw UsageError(message: "--rotate needs --write FILE") }
            return
        }
        if evidence == "-", invocation.live.rotation != nil {
            throw UsageError(message: "--rotate needs --write with a file, standard output (-) is only one")
        }
        guard evidence == invocation.output else { return }
        let place = evidence == "-" ? "standard output" : "'\(printable(evidence))'"
        throw UsageError(message: "packets and the report would both go to \(place)")
    }
}
