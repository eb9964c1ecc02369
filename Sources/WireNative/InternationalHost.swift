/// Host names in the characters that they stand for (RFC 5890, RFC 3492).
public enum InternationalHost {
    /// A text in which labels such as `xn--mnchen-3ya` stand as the characters that they mean; nil where none can. A label stays
    /// as it is where it is not the one encoding of its characters, where one of these cannot be shown, and where it mixes Latin
    /// letters with such as look like them.
    public static func unicode(_ text: [UInt8]) -> [UInt8]? {
        guard let first = start(text, from: 0) else { return nil }
        var result: [UInt8] = []
        var copied = 0
        var next: Int? = first
        while let start = next {
            var end = start + 4
            while end < text.count, isLabelByte(text[end]) { end += 1 }
            if let label = label(text[start + 4..<end]) {
                result += text[copied..<start] + label
                copied = end
            }
            next = self.start(text, from: end)
        }
        return copied == 0 ? nil : result + text[copied...]
    }

    /// Where the next label with the prefix begins.
    private static func start(_ text: [UInt8], from offset: Int) -> Int? {
        guard text.count >= 4, offset <= text.count - 4 else { return nil }
        for index in offset...text.count - 4 where text[index] | 0x20 == 0x78 {
            let prefix = [text[index] | 0x20, text[index + 1] | 0x20, text[index + 2], text[index + 3]]
            if prefix.elementsEqual("xn--".utf8), index == 0 || !isLabelByte(text[index - 1]) { return index }
        }
        return nil
    }

    static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func label(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
        // A label has 63 bytes at most (RFC 1035 §2.3.4).
        guard encoded.count <= 59, let scalars = decoded(encoded.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }),
            scalars.contains(where: { $0.value >= 0x80 }),
            scalars.allSatisfy({ $0.value < 0x80 || (PathText.isShowable($0.value) && isLowercase($0)) }),
            !mixesAlphabets(scalars)
        else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }

    /// Names are stored folded (RFC 5891 §4.2): a capital has another encoding.
    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        String(scalar).lowercased().unicodeScalars.elementsEqual(CollectionOfOne(scalar))
    }

    /// Latin beside Greek, Cyrillic, Armenian or Cherokee letters is how names are forged.
    private static func mixesAlphabets(_ scalars: [Unicode.Scalar]) -> Bool {
        let isLatin = scalars.contains { 0x61...0x7A ~= $0.value || 0xDF...0x24F ~= $0.value }
        return isLatin && scalars.contains { 0x370...0x58F ~= $0.value || 0x13A0...0x13FF ~= $0.value }
    }

    /// The decoder of RFC 3492 §6.2. What it gives has one encoding: a string whose parts are not in order is refused.
    private static func decoded(_ text: [UInt8]) -> [Unicode.Scalar]? {
        let mark = text.lastIndex(of: 0x2D)
        var scalars = text[..<(mark ?? 0)].map { Unicode.Scalar($0) }
        var rest = text[(mark.map { $0 + 1 } ?? 0)...]
        var (value, index, bias) = (UInt32(0x80), 0, 72)
        guard mark != 0 else { return nil }
        while !rest.isEmpty {
            guard let step = number(&rest, bias), step <= 1 << 24 else { return nil }
            index += step
            let count = scalars.count + 1
            value += UInt32(index / count)
            index %= count
            guard value < 0x110000, let scalar = Unicode.Scalar(value) else { return nil }
            bias = adapted(step, count: count, isFirst: count == text[..<(mark ?? 0)].count + 1)
            scalars.insert(scalar, at: index)
            index += 1
        }
        return scalars
    }

    /// A number of digits whose weights depend on the numbers before (RFC 3492 §3.3).
    private static func number(_ rest: inout ArraySlice<UInt8>, _ bias: Int) -> Int? {
        var (sum, weight, place) = (0, 1, 36)
        while let byte = rest.popFirst() {
            guard byte != 0x2D, byte != 0x5F else { return nil }
            let digit = byte < 0x3A ? Int(byte) - 0x30 + 26 : Int(byte) - 0x61
            guard weight < 1 << 32 else { return nil }
            sum += digit * weight
            let threshold = min(max(place - bias, 1), 26)
            if digit < threshold { return sum }
            weight *= 36 - threshold
            place += 36
        }
        return nil
    }

    static func adapted(_ step: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? step / 700 : step / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
