import WireNative

/// QPACK of one direction of a connection: the fields that its sender compresses (RFC 9204).
///
/// The table follows the sender's encoder stream. How sections count insertions depends on what the receiver allowed, so
/// before its SETTINGS came only sections that refer to no insertion are read.
///
/// - Invariant: instructions are read in the order of their stream, each once; after some are missing the table is
///   `unknown` for good.
final class FieldDecoder {
    enum Outcome {
        case read
        /// Lines that refer to the table are given as unknown fields; the others are known.
        case inPart
        /// It refers to insertions that have not come.
        case blocked
        /// It cannot be read. Some of its fields may have been given.
        case failed
    }

    private enum Table {
        /// The receiver's SETTINGS have not come; the instructions wait.
        case undecided([UInt8])
        case followed(QPACKInflater, capacity: Int)
        case unknown
    }

    /// Instructions that wait for SETTINGS, bytes: the largest table that is followed.
    private static let waitingLimit = QPACKInflater.largestTable

    private var table = Table.undecided([])
    private var instructions = QPACKInstructionReader()
    /// Reads sections that refer to no table, where there is none.
    private var tableless: QPACKInflater?
    private(set) var uses = InsertionUses()
    /// Which messages of exchanges its sender sends, once a section was read.
    private var role: MessageRole?
    /// What it was counted with among the tables of all connections, bytes.
    private var countedBytes = 0

    /// The receiver's SETTINGS are still needed.
    var awaitsCapacity: Bool { if case .undecided = table { true } else { false } }

    // MARK: The table

    /// The receiver's SETTINGS came. Only the first count (RFC 9204 §5).
    func setCapacity(_ capacity: UInt64, _ context: inout StreamContext) {
        guard case .undecided(let waiting) = table else { return }
        let capacity = Int(clamping: capacity)
        guard let inflater = QPACKInflater(capacity: capacity) else {
            context.findings.add(.qpackLimit)
            return lose(&context)
        }
        table = .followed(inflater, capacity: capacity)
        uses.limit = capacity / 32 * 2
        tableless = nil
        let bytes = unsafe waiting.span.bytes
        receive(bytes, &context)
    }

    /// The next bytes of the encoder's stream.
    func receive(_ bytes: RawSpan, _ context: inout StreamContext) {
        switch table {
        case .unknown: return
        case .undecided(var waiting):
            table = .unknown
            guard waiting.count + bytes.byteCount <= FieldDecoder.waitingLimit else {
                context.findings.add(.qpackLimit)
                return lose(&context)
            }
            bytes.append(0..<bytes.byteCount, to: &waiting)
            table = .undecided(waiting)
        case .followed(let inflater, _):
            instructions.receive(bytes) { instruction in
                if case .insertion(let count) = instruction { uses.append(bytes: count) }
            }
            guard inflater.receive(bytes), !instructions.isMalformed else {
                context.findings.add(.qpackMalformed)
                return lose(&context)
            }
        }
        count(&context)
    }

    /// Instructions are missing, or what they count by: nobody knows what later references are.
    func lose(_ context: inout StreamContext) {
        if let role { uses.doubt(behind: 0, role, &context) }
        end(&context)
    }

    /// A section of a stream is missing, or what it refers to.
    func missSection(stream: UInt64, _ role: MessageRole, _ context: inout StreamContext) {
        uses.doubt(behind: stream, role, &context)
    }

    /// Nothing more is read by the table.
    func end(_ context: inout StreamContext) {
        table = .unknown
        uses.forget()
        context.buffered.fieldTables -= countedBytes
        countedBytes = 0
    }

    private func count(_ context: inout StreamContext) {
        let bytes =
            switch table {
            case .undecided(let waiting): waiting.count
            case .followed(let inflater, _): inflater.memory + uses.memory
            case .unknown: 0
            }
        context.buffered.fieldTables += bytes - countedBytes
        countedBytes = bytes
        let limit = context.options.limitPerShard(of: context.options.totalFieldTableLimit)
        guard context.buffered.fieldTables > limit, bytes > 0 else { return }
        context.findings.add(.qpackLimit)
        lose(&context)
    }

    // MARK: Sections

    /// Reads a whole field section.
    /// - Parameters:
    ///   - limit: bytes of text to keep.
    ///   - isLast: what it waits for will not come.
    ///   - use: whose it is; the insertions that it refers to are noted.
    func read(
        _ bytes: RawSpan, into section: inout FieldSection, limit: Int, isLast: Bool, _ context: inout StreamContext,
        _ use: SectionUse
    ) -> Outcome {
        guard let layout = QPACKSection(bytes) else { return .failed }
        section.recordPrefix(layout.start)
        guard layout.encodedInsertCount > 0 else {
            return readTableless(bytes, prefix: layout.start, &section, limit, &context)
        }
        guard case .followed(let inflater, let capacity) = table else {
            return awaitsCapacity && !isLast ? .blocked : readInPart(bytes, layout, &section, limit, &context)
        }
        guard let required = layout.requiredInsertCount(capacity: capacity, inserted: inflater.insertCount) else {
            return .failed
        }
        guard required <= inflater.insertCount else {
            return isLast ? readInPart(bytes, layout, &section, limit, &context) : .blocked
        }
        guard section.read(bytes, prefix: layout.start, inflater, limit: limit) == .read else {
            lose(&context)
            return .failed
        }
        var insertions: Set<UInt64> = []
        _ = layout.forEachLine(bytes, required: required) { _, reference in
            if case .insertion(let number?) = reference { insertions.insert(number) }
        }
        role = use.role
        use.note(insertions, &uses, &context)
        return .read
    }

    private func readTableless(
        _ bytes: RawSpan, prefix: Int, _ section: inout FieldSection, _ limit: Int, _ context: inout StreamContext
    ) -> Outcome {
        if case .followed(let inflater, _) = table {
            if section.read(bytes, prefix: prefix, inflater, limit: limit) == .read { return .read }
            lose(&context)
            return .failed
        }
        let inflater = tableless ?? QPACKInflater(capacity: 0)
        tableless = inflater
        if let inflater, section.read(bytes, prefix: prefix, inflater, limit: limit) == .read { return .read }
        tableless = nil
        return .failed
    }

    /// Reads what needs no table, and says how many fields need one.
    private func readInPart(
        _ bytes: RawSpan, _ layout: QPACKSection, _ section: inout FieldSection, _ limit: Int,
        _ context: inout StreamContext
    ) -> Outcome {
        guard let rest = layout.withoutReferences(bytes) else { return .failed }
        let span = unsafe rest.bytes.span.bytes
        let outcome = readTableless(span, prefix: QPACKSection.emptyPrefix.count, &section, limit, &context)
        guard outcome == .read else { return .failed }
        for _ in 0..<rest.count { section.add(name: RawSpan(), value: RawSpan(), limit: limit) }
        return .inPart
    }
}

extension FieldSection {
    /// Takes the fields of a section whose lines begin behind `prefix` bytes.
    fileprivate mutating func read(
        _ bytes: RawSpan, prefix: Int, _ inflater: QPACKInflater, limit: Int
    ) -> QPACKInflater.Outcome {
        inflater.read(bytes, prefix: prefix) { name, value, coding in
            add(name: name, value: value, coding, limit: limit)
        }
    }
}

/// Which message was the first to refer to each insertion of an encoder: that of the lowest stream.
struct InsertionUses {
    struct Insertion {
        /// Of its instruction.
        var bytes: Int
        /// The lowest stream that refers to it, and whose that is; nil while none does.
        var user: (stream: UInt64, owner: Owner)?
    }

    /// Sections are missing: who was the first to refer to an insertion is not known any more.
    var isDoubtful = false
    /// Insertions that are kept: more than a table can hold.
    var limit = 0
    private var insertions: [Insertion] = []
    /// The number of the first of them.
    private var first: UInt64 = 0

    var memory: Int { insertions.count * MemoryLayout<Insertion>.stride }

    mutating func append(bytes: Int) {
        insertions.append(Insertion(bytes: bytes))
        // In batches, because those behind move up.
        guard insertions.count > 2 * limit + 64 else { return }
        let count = insertions.count - limit
        insertions.removeFirst(count)
        first += UInt64(count)
    }

    mutating func forget() { insertions = [] }

    /// Whose the insertions are that streams behind this one, or the stream itself, were taken to be the first to refer to.
    func users(behind stream: UInt64) -> Set<Owner> {
        Set(insertions.compactMap { $0.user }.filter { $0.stream >= stream }.map(\.owner))
    }

    /// A section of a stream refers to insertions. Returns the bytes that its message is the first to refer to, and what
    /// other owners were taken to be the first of before.
    mutating func note(_ numbers: Set<UInt64>, stream: UInt64, _ owner: Owner) -> (bytes: Int, taken: [Share]) {
        var bytes = 0
        var taken: [Share] = []
        for number in numbers where number >= first && number - first < UInt64(insertions.count) {
            let index = Int(number - first)
            if let user = insertions[index].user {
                guard stream < user.stream else { continue }
                taken.append(Share(owner: user.owner, bytes: insertions[index].bytes))
            }
            insertions[index].user = (stream, owner)
            bytes += insertions[index].bytes
        }
        return (bytes, taken)
    }
}
