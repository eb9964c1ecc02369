/// The system's file names are bytes, and need not be UTF-8. A text keeps each byte that is part of no character as a scalar
/// at the end of the last private area, which no file name has otherwise.
private let firstByteScalar: UInt32 = 0x10FF00

/// The text of a file name.
package func fileName(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
        switch parser.parseScalar(from: &rest) {
        case .valid(let encoded):
            text.append(Unicode.UTF8.decode(encoded))
            index += encoded.count
        case .error(let length):
            for byte in bytes[index..<index + length] {
                if let scalar = Unicode.Scalar(firstByteScalar + UInt32(byte)) { text.append(scalar) }
            }
            index += length
        case .emptyInput: return String(text)
        }
    }
}

/// The file name for the system, with the zero at its end.
package func systemName(_ text: String) -> [CChar] {
    var bytes: [CChar] = []
    for scalar in text.unicodeScalars {
        if scalar.value >= firstByteScalar + 0x80, let byte = UInt8(exactly: scalar.value - firstByteScalar) {
            bytes.append(CChar(bitPattern: byte))
        } else {
            bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
        }
    }
    return bytes + [0]
}
