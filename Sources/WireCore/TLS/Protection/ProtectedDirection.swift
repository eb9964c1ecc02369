import WireNative

/// One direction of a TLS connection: what was counted of it, and which keys are in use.
final class ProtectedDirection {
    /// Whether protected records can be opened.
    enum Opening: UInt8, Sendable {
        /// They cannot; `reason` says why.
        case closed
        /// Keys are looked up when the next protected record comes.
        case awaited
        case ready
    }

    var count = RecordCount()
    /// Which keys protect its records. TLS 1.2 and earlier go from clear to application at ChangeCipherSpec.
    var epoch = TLSEpoch.clear
    var opening = Opening.closed {
        didSet { count.isPassing = false }
    }
    var reason = TLSBlindness.noHandshake
    /// Stays closed, whatever keys come.
    private(set) var isBarred = false

    /// Number of the next record under the keys in use.
    var sequence: UInt64 = 0
    /// Records that passed without being looked at since the keys in use last opened one: any of them may have changed
    /// the keys.
    var unexamined = 0
    /// Numbers that may still be tried to find out which record came behind a gap; nil while the number is known.
    var seekingBudget: Int?
    /// Numbers that are tried for one record.
    private(set) var seekingWidth = 0
    /// Records that were tried with keys of the log, for want of a hello.
    var joinTries = 0
    /// Records in a row that no known key opened.
    var attempts = 0
    /// The keys in use; nil in epoch `early`, and while later keys are searched for.
    var decryptor: RecordDecryptor?
    /// Keys of early data, one for each cipher suite that they may belong to.
    var earlyDecryptors: [RecordDecryptor] = []
    /// The secret that a KeyUpdate turns into the next one.
    var trafficSecret: [UInt8] = []

    var changeCipherSpecs = 0
    var hasClosed = false

    /// The number of the next record is not known.
    func seek(budget: Int, width: Int) { (seekingBudget, seekingWidth) = (budget, width) }

    /// Lets go of all keys.
    func close(_ reason: TLSBlindness) {
        opening = .closed
        self.reason = reason
        forgetKeys()
    }

    func bar(_ reason: TLSBlindness) {
        close(reason)
        isBarred = true
    }

    /// Records come under other keys from here on.
    func begin(_ epoch: TLSEpoch) {
        self.epoch = epoch
        forgetKeys()
        sequence = 0
        unexamined = 0
        attempts = 0
        if !isBarred { opening = .awaited }
    }

    /// A record was opened with these keys of the epoch that has begun; `sequence` was its number.
    func adopt(_ decryptor: RecordDecryptor, secret: [UInt8], sequence: UInt64) {
        opening = .ready
        self.decryptor = decryptor
        trafficSecret = secret
        self.sequence = sequence + 1
    }

    private func forgetKeys() {
        decryptor = nil
        earlyDecryptors = []
        trafficSecret = []
    }
}

/// What a record that nobody opens needs, in one place: reached once, it costs a few nanoseconds.
struct RecordCount {
    var facts = TLSDirectionFacts()
    /// Bytes of a protected record that certainly are no content, before and behind it.
    var lead = RecordHeader.length
    var trail = 0
    /// Application data changes nothing any more but the counts.
    var isPassing = false

    /// The certain overhead of a record, cut to its length.
    @inline(__always)
    func overhead(_ header: RecordHeader) -> (lead: Int, trail: Int) {
        let length = header.recordLength
        let lead = min(lead, length)
        return (lead, min(trail, length &- lead))
    }

    /// Counts application data where that is all; nil where it is not.
    @inline(__always)
    mutating func pass(_ header: RecordHeader) -> (lead: Int, trail: Int)? {
        guard isPassing, header.contentType == RecordType.applicationData else { return nil }
        facts.records &+= 1
        facts.applicationData &+= header.recordLength
        return overhead(header)
    }

    /// Counts a record by the content type of its header.
    mutating func tally(_ header: RecordHeader) {
        facts.records &+= 1
        add(header.recordLength, header)
    }

    /// Takes a record back.
    mutating func retract(_ header: RecordHeader) {
        facts.records &-= 1
        add(-header.recordLength, header)
    }

    private mutating func add(_ length: Int, _ header: RecordHeader) {
        switch header.contentType {
        case RecordType.applicationData: facts.applicationData &+= length
        case RecordType.handshake: facts.handshake &+= length
        case RecordType.alert: facts.alert &+= length
        case RecordType.changeCipherSpec: facts.changeCipherSpec &+= length
        default: facts.other &+= length
        }
    }
}
