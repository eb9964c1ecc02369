import WireNative

/// What resumes a session of TLS 1.2 or earlier: the identifier that the server gave it (RFC 5246 §7.3) or a ticket
/// (RFC 5077). A digest, because tickets are long; one that somebody forges names a session whose keys do not fit.
struct SessionName: Hashable, Sendable {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Nil for none: both are empty where there is nothing to resume.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount > 0 else { return nil }
        for offset in 0..<bytes.byteCount {
            let byte = UInt64(bytes.u8(offset))
            first = (first ^ byte) &* 0x0000_0100_0000_01B3
            second = ((second ^ byte) &* 0xD6E8_FEB8_6659_FD93) ^ (second >> 29)
        }
    }
}

/// Under which connections a key log may hold the master secret of a session. Some programs write it under the first one
/// only, and a connection that resumes the session has no line of its own.
///
/// Connections ask while packets behind theirs may already have been looked at, by another thread. So each entry is kept
/// with its place in the capture, and who asks says where it is: what is answered depends on the capture alone.
final class SessionDirectory: Sendable {
    private struct Session {
        /// The frame that brought its name.
        var ordinal: Int
        /// Of the hellos of the connection that brought it, and of the one that began the session.
        var clientRandoms: [[UInt8]]
    }

    private struct State {
        var sessions: [SessionName: Session] = [:]
        /// What was forgotten, and at which frame: those in front of it may still be asked about.
        var former: [(end: Int, sessions: [SessionName: Session])] = []
        /// Hellos that begin before this frame have been looked at, as far as they have come.
        var settled = 0
    }

    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: most sessions; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Takes a name that a server gave to a session. The first connection that brings it counts.
    func add(_ name: SessionName, clientRandoms: [[UInt8]], at ordinal: Int) {
        state.withLock { state in
            guard state.sessions[name] == nil else { return }
            if state.sessions.count >= limit {
                // A hello may come in several packets: one generation is kept for those that have begun to come.
                while state.former.count > 1, state.former[0].end <= state.settled { state.former.removeFirst() }
                state.former.append((ordinal, state.sessions))
                state.sessions = [:]
            }
            state.sessions[name] = Session(ordinal: ordinal, clientRandoms: clientRandoms)
        }
    }

    /// The connections under which a session that was named before a frame may stand in a key log, likeliest first.
    func clientRandoms(of name: SessionName, at ordinal: Int) -> [[UInt8]] {
        state.withLock { state in
            let sessions = state.former.first { ordinal < $0.end }?.sessions ?? state.sessions
            guard let session = sessions[name], session.ordinal < ordinal else { return [] }
            return session.clientRandoms
        }
    }

    /// All frames before this one have been looked at.
    func settle(_ ordinal: Int) {
        state.withLock { $0.settled = max($0.settled, ordinal) }
    }
}
