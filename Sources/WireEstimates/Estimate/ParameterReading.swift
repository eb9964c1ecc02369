import Spelling

extension EstimatorDescription {
    /// - Parameter name: in lower case.
    func isNamed(_ name: String) -> Bool { id == name || aliases.contains(name) }

    /// A parameter and its value from `name=value`. Case does not matter; the value comes back in its own spelling.
    func parameter(_ text: Substring) throws(EstimatorChoiceError) -> (parameter: Parameter, value: String) {
        let equals = text.firstIndex(of: "=") ?? text.endIndex
        let name = String(text[..<equals])
        guard let parameter = parameters.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw unknownParameter(name)
        }
        guard equals < text.endIndex else {
            throw EstimatorChoiceError(
                "\(id): '\(parameter.name)' needs a value, such as \(parameter.name)=\(parameter.values[0])")
        }
        let value = String(text[text.index(after: equals)...])
        guard let accepted = parameter.accepted(value) else {
            throw EstimatorChoiceError(
                "\(id): \(parameter.name) cannot be '\(value)'; it takes \(parameter.validText)")
        }
        return (parameter, accepted)
    }

    private func unknownParameter(_ name: String) -> EstimatorChoiceError {
        guard !parameters.isEmpty else {
            return EstimatorChoiceError("\(id) has no parameters, so '\(name)' cannot be set")
        }
        let names = parameters.map(\.name)
        let known = names.joined(separator: ", ")
        guard let near = nearestWord(to: name, among: names) else {
            return EstimatorChoiceError("\(id) has no parameter '\(name)'; it has \(known)")
        }
        return EstimatorChoiceError("\(id) has no parameter '\(name)'; did you mean '\(near)'? It has \(known)")
    }
}

extension EstimatorDescription.Parameter {
    /// The value in its usual spelling; nil where the parameter does not take it.
    func accepted(_ value: String) -> String? {
        let lowercased = value.lowercased()
        if let word = values.first(where: { $0.lowercased() == lowercased }) { return word }
        switch open {
        case .fieldNames: return fieldNames(lowercased)
        case .bytes: return byteCount(value)
        case nil: return nil
        }
    }

    /// The values it takes, in words.
    var validText: String {
        let words = values.joined(separator: ", ")
        switch open {
        case .fieldNames:
            return "\(words), or names of fields joined by + (+name for a single unusual one)"
        case .bytes:
            return "\(words), or a number of bytes"
        case nil:
            return words
        }
    }

    private static let wellKnownNames: Set<String> = [
        "accept", "accept-encoding", "accept-language", "authorization", "cache-control", "connection",
        "content-encoding", "content-length", "content-type", "cookie", "host", "if-modified-since", "if-none-match",
        "origin", "pragma", "range", "referer", "transfer-encoding", "user-agent",
    ]

    /// Names in alphabetical order without repetition, joined by `+`, so that equal sets have equal texts. A single
    /// name must be well known or begin with `+`: else each misspelt word would be taken for a name.
    private func fieldNames(_ text: String) -> String? {
        let names = Set(text.split(separator: "+").map(String.init)).sorted()
        guard let first = names.first, names.allSatisfy({ $0.utf8.allSatisfy(isFieldNameByte) }) else { return nil }
        if names.count > 1 { return names.joined(separator: "+") }
        if Self.wellKnownNames.contains(first) { return first }
        return text.hasPrefix("+") ? "+" + first : nil
    }

    private func byteCount(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(text), number <= 1 << 40 else { return nil }
        return String(number)
    }
}

/// Bytes of field names (RFC 9110 §5.6.2) without `+`, which joins names here.
private func isFieldNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: true
    default: "!#$%&'*-.^_`|~".utf8.contains(byte)
    }
}
