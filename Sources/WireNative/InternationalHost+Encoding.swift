/// The encoding of host names, for those that a client sends as they are (RFC 5891 §4.4).
extension InternationalHost {
    /// A text in which labels in other characters than those of ASCII stand as names of the DNS have them; nil where none can. A
    /// label stays as it is where its characters may have several encodings: those of combining marks, and what `unicode` does
    /// not show.
    public static func ascii(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(where: { $0 >= 0x80 }) else { return nil }
        var result: [UInt8] = []
        var isChanged = false
        var index = 0
        while index < text.count {
            let label = text[index...].prefix { isLabelByte($0) || $0 >= 0x80 }
            if let encoded = encodedLabel(label) {
                result += encoded
                isChanged = true
            } else {
                result += label
            }
            index = label.endIndex
            if index < text.count {
                result.append(text[index])
                index += 1
            }
        }
        return isChanged ? result : nil
    }

    private static func encodedLabel(_ label: ArraySlice<UInt8>) -> [UInt8]? {
        // A label has 63 bytes at most, and each of them says less than a character of four bytes.
        guard label.count <= 4 * 63, label.contains(where: { $0 >= 0x80 }),
            let text = String(validating: label, as: UTF8.self)?.lowercased(),
            !text.unicodeScalars.contains(where: { $0.properties.canonicalCombiningClass != .notReordered })
        else { return nil }
        let encoded = Array("xn--".utf8) + punycode(Array(text.unicodeScalars))
        guard encoded.count <= 63, unicode(encoded).map({ $0.elementsEqual(text.utf8) }) == true else { return nil }
        return encoded
    }

    /// The encoder of RFC 3492 §6.3.
    private static func punycode(_ scalars: [Unicode.Scalar]) -> [UInt8] {
        var result = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basic = result.count
        if basic > 0 { result.append(0x2D) }
        var (next, delta, bias, done) = (UInt32(0x80), 0, 72, basic)
        while done < scalars.count {
            let least = scalars.lazy.map(\.value).filter { $0 >= next }.min() ?? next
            delta += Int(least - next) * (done + 1)
            next = least
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                appendNumber(delta, bias, to: &result)
                bias = adapted(delta, count: done + 1, isFirst: done == basic)
                delta = 0
                done += 1
            }
            delta += 1
            next += 1
        }
        return result
    }

    private static func appendNumber(_ number: Int, _ bias: Int, to text: inout [UInt8]) {
        func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26) }
        var (rest, place) = (number, 36)
        while true {
            let threshold = min(max(place - bias, 1), 26)
            guard rest >= threshold else { break }
            text.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
        text.append(digit(rest))
    }
}
