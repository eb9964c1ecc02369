/// Gives each different byte string a number, from 0 in order of first sight.
struct NameTable {
    private(set) var names: [[UInt8]] = []
    private var slots: [Int32] = []
    private var hashes: [UInt64] = []
    /// Number of the name that was asked for last: many come several times in a row.
    private var latest = -1
    /// Nobody can choose names that meet without knowing it.
    private static let seed = UInt64.random(in: .min ... .max)

    init() { slots = [Int32](repeating: -1, count: 256) }

    var count: Int { names.count }

    /// The name's number, or nil when it is new and `limit` names are there already.
    mutating func intern(_ name: [UInt8], limit: Int = .max) -> Int? {
        let bytes = unsafe name.span.bytes
        let hash = NameTable.hash(bytes)
        let place = place(of: bytes, hash)
        if slots[place] >= 0 { return Int(slots[place]) }
        guard names.count < limit else { return nil }
        return add(name, hash, at: place)
    }

    /// The same for bytes that are copied only if they are new.
    mutating func intern(_ bytes: RawSpan, limit: Int) -> Int? {
        if latest >= 0, NameTable.areEqual(names[latest], bytes) { return latest }
        let hash = NameTable.hash(bytes)
        let place = place(of: bytes, hash)
        if slots[place] < 0 {
            guard names.count < limit else { return nil }
            _ = add(bytes.array(0..<bytes.byteCount), hash, at: place)
            latest = names.count - 1
        } else {
            latest = Int(slots[place])
        }
        return latest
    }

    private mutating func add(_ name: [UInt8], _ hash: UInt64, at place: Int) -> Int {
        slots[place] = Int32(names.count)
        names.append(name)
        hashes.append(hash)
        if names.count * 2 > slots.count { grow() }
        return names.count - 1
    }

    /// The name's number; nil when it has none.
    func find(_ name: [UInt8]) -> Int? {
        let bytes = unsafe name.span.bytes
        let place = place(of: bytes, NameTable.hash(bytes))
        return slots[place] >= 0 ? Int(slots[place]) : nil
    }

    /// Where the name stands, or the free place for it.
    @inline(__always)
    private func place(of name: RawSpan, _ hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place] >= 0 {
            let index = Int(slots[place])
            if hashes[index] == hash, NameTable.areEqual(names[index], name) { break }
            place = (place + 1) & (slots.count - 1)
        }
        return place
    }

    /// A name as text. A byte that is part of no UTF-8 sequence stands for the character of its number, as in the records.
    static func text(_ name: [UInt8]) -> String {
        if let text = String(validating: name, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var bytes = name.makeIterator()
        var rest = name[...]
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let encoded):
                text.append(Unicode.UTF8.decode(encoded))
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                for byte in rest.prefix(length) { text.append(Unicode.Scalar(byte)) }
                rest = rest.dropFirst(length)
            case .emptyInput: return String(text)
            }
        }
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (index, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[place] >= 0 { place = (place + 1) & (slots.count - 1) }
            slots[place] = Int32(index)
        }
    }

    private static func hash(_ bytes: RawSpan) -> UInt64 {
        var hash = seed ^ UInt64(bytes.byteCount)
        var offset = 0
        while bytes.byteCount - offset >= 8 {
            hash = mix(hash, bytes.le64(offset))
            offset += 8
        }
        // The last eight, some of them once more.
        if offset > 0 { return mix(hash, bytes.le64(bytes.byteCount - 8)) }
        while offset < bytes.byteCount {
            hash = mix(hash, UInt64(bytes.u8(offset)))
            offset += 1
        }
        return hash
    }

    @inline(__always)
    private static func areEqual(_ one: [UInt8], _ other: RawSpan) -> Bool {
        let bytes = unsafe one.span.bytes
        return bytes.isEqual(to: other)
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.low ^ product.high
    }
}
