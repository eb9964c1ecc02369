/// What a packet has in common with an earlier one, beside its content and headers.
struct Resemblance: Sendable {
    /// Nearly the time, and the IP identification, which is not 0: it was captured twice, if its sender numbers its packets.
    var isNumbered = false
    /// What its time and IP identification say.
    enum Evidence: UInt8, Sendable {
        /// It came at once, or has the identification of the one before: what an endpoint sends again has not.
        case copy
        /// It came later, with another identification.
        case sentAgain
        /// It came later, and none of the two has an identification.
        case none
    }

    var evidence = Evidence.none
    /// Place among the packets behind the first one that equal it, from 1.
    var repeats = 0
    /// Place of the first one in the order of the audit.
    var ordinal = 0
    /// How much later it came than the one before.
    var delay: Int64 = 0

    /// As late as systems try a refused connection again, Windows after half a second, and nothing speaks for a copy.
    var isRetry: Bool { evidence != .copy && delay >= 450_000_000 }
}
