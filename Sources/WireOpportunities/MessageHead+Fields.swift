import WireCore

extension MessageHead {
    /// The values of all fields of a name, which must be in lower case, without white space around them, joined by commas
    /// as RFC 9110 §5.3 allows; nil where there is none.
    func value(_ name: StaticString) -> [UInt8]? {
        var found: [UInt8]?
        forEachField { field in
            guard isNamed(field, name) else { return }
            if found != nil { found?.append(0x2C) }
            found = (found ?? []) + bytes[field.value]
        }
        return found
    }

    func has(_ name: StaticString) -> Bool {
        var isThere = false
        forEachField { if isNamed($0, name) { isThere = true } }
        return isThere
    }

    private func isNamed(_ field: Field, _ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard field.name.count == length else { return false }
        return zip(field.name, 0..<length).allSatisfy { place, index in
            let byte = bytes[place]
            let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
            let wanted = unsafe name.utf8Start[index]
            return lower == wanted
        }
    }
}

/// The members of a comma-separated list, in lower case, without white space around them (RFC 9110 §5.6.1).
func listMembers(_ value: [UInt8]) -> [String] {
    String(decoding: value, as: UTF8.self).lowercased().split(separator: ",").map { member in
        String(member.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
