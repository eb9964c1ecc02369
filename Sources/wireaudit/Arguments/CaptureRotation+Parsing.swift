import WireCapture

/// What `--rotate` means: "100MB,1h,10files".
extension CaptureRotation {
    /// Why a text is no rotation, in one clause.
    package struct Malformed: Error, Equatable, Sendable {
        package var reason: String
    }

    /// Reads a size (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), a time (ms, s, min, h, d) and a number of files ("10files"):
    /// each at most once, in any order, with commas between, and at least a size or a time.
    package init(parsing text: String) throws(Malformed) {
        self.init()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            try read(part.filter { $0 != " " })
        }
        guard maximumBytes != nil || maximumDuration != nil else {
            throw Malformed(reason: "a number of files also needs a size or a time, such as 100MB,\(text)")
        }
    }

    private mutating func read(_ part: String) throws(Malformed) {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, digits.allSatisfy({ $0 == "0" }) { throw Malformed(reason: "\(part) is nothing") }
        if ["file", "files"].contains(part.dropFirst(digits.count).lowercased()), !digits.isEmpty {
            guard let number = Int(digits) else { throw Malformed(reason: "\(digits) is too large") }
            return try Self.set(&fileCount, number, "number of files")
        }
        switch try Self.quantity(part) {
        case .bytes(let size):
            guard size >= Self.smallestFile else {
                throw Malformed(reason: "\(part) is too small, a file holds at least \(Self.smallestFile) bytes")
            }
            try Self.set(&maximumBytes, size, "size")
        case .nanoseconds(let time): try Self.set(&maximumDuration, time, "time")
        }
    }

    private static func quantity(_ part: String) throws(Malformed) -> Quantity {
        do throws(Quantity.Problem) {
            return try Quantity(parsing: part)
        } catch {
            switch error {
            case .noNumber: throw Malformed(reason: "it takes \(examples)")
            case .noUnit: throw Malformed(reason: "\(part) needs a unit: \(examples)")
            case .tooLarge: throw Malformed(reason: "\(part) is too large")
            case .unknownUnit(let unit): throw Malformed(reason: "it has no unit '\(unit)': it takes \(examples)")
            }
        }
    }

    private static let examples = "a size (100MB), a time (10min), and a number of files (10files)"

    private static func set<Value>(_ place: inout Value?, _ value: Value, _ what: String) throws(Malformed) {
        guard place == nil else { throw Malformed(reason: "it has more than one \(what)") }
        place = value
    }
}
