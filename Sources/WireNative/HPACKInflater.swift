import CNghttp2

/// Undoes the header compression of one direction of an HTTP/2 connection (RFC 7541), field block by field block.
///
/// The dynamic table takes the size that the encoder announces inside its blocks (§6.3), which is the only thing that
/// moves it; the receiver's SETTINGS merely limit what an encoder may announce. So an observer needs no settings to stay
/// in step, and reads on where the encoder breaks the receiver's limit.
///
/// Memory: 2 KB as made. An entry of the table takes up to 240 bytes besides its text, where RFC 7541 counts 32 (§4.1),
/// so a table of `largestTable` can take 8 MB; `memory` says how much it is. A field that is not complete takes up to
/// 128 KB for its name and as much for its value; a name or value of more than 64 KB fails.
@safe public final class HPACKInflater {
    /// Largest dynamic table that an encoder may announce, bytes. An announcement beyond it fails.
    public static let largestTable = 1 << 20
    /// Size of the dynamic table before anything is announced (RFC 9113 §6.5.2).
    public static let initialTable = 4096
    /// Dynamic table taken on when the encoder's size is not known: what browsers allow.
    public static let assumedTable = 1 << 16
    /// Entries that stand for those made before an observer joined late: twice what fits into the initial table.
    static let unknownEntries = 256

    private let inflater: OpaquePointer
    private var hasFailed = false
    /// Bytes of the block behind the last field that was given.
    private var pending = 0

    /// An inflater that has seen nothing yet.
    ///
    /// - Parameter joinsLate: blocks went by before this one, or may have: the entries they made are not known. A field
    ///   that is taken from one of them comes with an empty name, and with an empty value if that is not known either.
    ///   Entries made from now on are known: references count from the newest entry, so they point right. Takes 50 KB
    ///   as made; the table is taken to be of `assumedTable` until the encoder announces another size.
    public init?(joinsLate: Bool = false) {
        var made: OpaquePointer?
        guard unsafe nghttp2_hd_inflate_new(&made) == 0, let made = unsafe made else { return nil }
        unsafe inflater = made
        guard unsafe nghttp2_hd_inflate_change_table_size(made, HPACKInflater.largestTable) == 0 else { return nil }
        if joinsLate, !addUnknownEntries() { return nil }
    }

    deinit {
        unsafe nghttp2_hd_inflate_del(inflater)
    }

    /// Takes the next bytes of a field block and calls with each field that they complete: name, value, and how it was
    /// sent. The spans are valid during the call. Fragments may be cut anywhere; `isFinal` ends the block, with these
    /// bytes or with none.
    ///
    /// False when it cannot be decompressed. The table is lost then, and every later call fails at once.
    public func inflate(_ bytes: RawSpan, isFinal: Bool, _ body: (RawSpan, RawSpan, FieldCoding) -> Void) -> Bool {
        guard !hasFailed else { return false }
        let isDone = unsafe bytes.withUnsafeBytes { unsafe inflate($0, isFinal, body) }
        hasFailed = !isDone
        return isDone
    }

    private func inflate(
        _ bytes: UnsafeRawBufferPointer, _ isFinal: Bool, _ body: (RawSpan, RawSpan, FieldCoding) -> Void
    ) -> Bool {
        var offset = 0
        while true {
            var field = unsafe nghttp2_nv()
            var flags: Int32 = 0
            let next = unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            let count = unsafe nghttp2_hd_inflate_hd2(
                inflater, &field, &flags, next, bytes.count - offset, isFinal ? 1 : 0)
            guard count >= 0 else { return false }
            offset += count
            pending += count
            let isEmitted = flags & Int32(bitPattern: NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0
            if isEmitted {
                unsafe HPACKInflater.deliver(field, size: pending, body)
                pending = 0
            }
            if flags & Int32(bitPattern: NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                unsafe nghttp2_hd_inflate_end_headers(inflater)
                pending = 0
                return true
            }
            guard isEmitted || offset < bytes.count else { return true }
        }
    }

    private static func deliver(_ field: nghttp2_nv, size: Int, _ body: (RawSpan, RawSpan, FieldCoding) -> Void) {
        let name = unsafe UnsafeRawBufferPointer(start: field.name, count: field.namelen)
        let value = unsafe UnsafeRawBufferPointer(start: field.value, count: field.valuelen)
        let isNeverIndexed = unsafe field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        unsafe body(
            RawSpan(_unsafeBytes: name), RawSpan(_unsafeBytes: value),
            FieldCoding(size: size, isNeverIndexed: isNeverIndexed))
    }

    /// Fills the table with entries of the least size that there is, with empty names and values. Whatever size the
    /// encoder announces later, the table then holds no fewer entries than the encoder's own: those it made since,
    /// and small ones in place of all the others.
    private func addUnknownEntries() -> Bool {
        // Size update (RFC 7541 §6.3): a prefix of five ones, then the rest in groups of seven bits (§5.1).
        var block: [UInt8] = [0x3F]
        var rest = HPACKInflater.assumedTable - 31
        while rest >= 128 {
            block.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        block.append(UInt8(rest))
        // Literals with incremental indexing (§6.2.1), both strings empty: the first with a new name, the others with
        // the name of the newest entry, which saves memory.
        block += [0x40, 0, 0]
        for _ in 1..<HPACKInflater.unknownEntries { block += [0x40 | 62, 0] }
        return inflate(unsafe block.span.bytes, isFinal: true) { _, _, _ in }
    }
}

/// The dynamic table as it stands.
extension HPACKInflater {
    /// What the encoder's table may hold, bytes: 4096, or what the encoder announced last.
    public var maximumTableSize: Int { unsafe nghttp2_hd_inflate_get_max_dynamic_table_size(inflater) }
    /// What the table holds, bytes as RFC 7541 §4.1 counts them.
    public var tableSize: Int { unsafe nghttp2_hd_inflate_get_dynamic_table_size(inflater) }
    /// Most that the inflater and its table take, bytes, without a field that is not complete.
    public var memory: Int { 2048 + tableSize + tableCount * (240 - 32) }
    /// Entries of the table.
    public var tableCount: Int { unsafe nghttp2_hd_inflate_get_num_table_entries(inflater) - 61 }

    /// Name and value of an entry of the table. 0 is the newest.
    public func tableEntry(_ index: Int) -> (name: [UInt8], value: [UInt8])? {
        guard index >= 0, index < tableCount else { return nil }
        guard let entry = unsafe nghttp2_hd_inflate_get_table_entry(inflater, index + 62) else { return nil }
        let field = unsafe entry.pointee
        return unsafe (
            Array(UnsafeBufferPointer(start: field.name, count: field.namelen)),
            Array(UnsafeBufferPointer(start: field.value, count: field.valuelen))
        )
    }
}
