import WireRecords
import WireReport

/// Records of one session as NDJSON, a file for each day: `FOLDER/day=2026-11-24/session=NAME/exchanges.ndjson`.
///
/// Query engines read day and session from the names of the folders. Files are written beside their places and take them
/// together at the end, so that a session that failed or was interrupted leaves no records, and one that runs again
/// replaces its own.
final class DayFiles {
    private static let timeKey = Array("\"time_ns\":".utf8)
    /// Bytes of a day that wait before they are written.
    private static let waiting = 1 << 16

    private struct Day {
        var path: String
        var descriptor: Int32
        var lines: [UInt8] = []

        var temporary: String { path + ".part" }
    }

    private let folder: String
    private let session: String
    private var days: [String: Day] = [:]
    private var rest: [UInt8] = []

    init(folder: String, session: String) {
        self.folder = folder
        self.session = DayFiles.folderName(session)
    }

    /// Takes the next bytes of the records; lines may go over pieces.
    func write(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            rest.append(byte)
            guard byte == 0x0A else { continue }
            take(rest)
            rest.removeAll(keepingCapacity: true)
        }
    }

    private func take(_ line: [UInt8]) {
        let name = DayFiles.day(of: line)
        if days[name] == nil { days[name] = open(name) }
        days[name]?.lines += line
        if days[name]?.lines.count ?? 0 >= DayFiles.waiting { flush(name) }
    }

    private func open(_ name: String) -> Day {
        let place = "\(folder)/day=\(name)"
        for path in [folder, place, "\(place)/session=\(session)"] {
            let code = System.makeFolder(path)
            if code != 0 { stop(path, code) }
        }
        let path = "\(place)/session=\(session)/exchanges.ndjson"
        let descriptor = System.openForWriting(path + ".part")
        if descriptor < 0 { stop(path, -descriptor) }
        let code = System.empty(descriptor)
        if code != 0 { stop(path, code) }
        return Day(path: path, descriptor: descriptor)
    }

    private func flush(_ name: String) {
        guard let day = days[name] else { return }
        let code = System.write(day.lines.span, to: day.descriptor)
        if code != 0 { stop(day.path, code) }
        days[name]?.lines.removeAll(keepingCapacity: true)
    }

    /// Puts all files in their places.
    func finish() {
        for name in days.keys.sorted() {
            flush(name)
            guard let day = days[name] else { continue }
            let code = System.close(day.descriptor)
            if code != 0 { stop(day.path, code) }
        }
        for day in days.values {
            let code = System.rename(day.temporary, to: day.path)
            // A process of an interrupted run may still be at the same session: it writes the same bytes, and moved them.
            if code != 0, code != System.noSuchFile || !System.fileExists(day.path) { stop(day.path, code) }
        }
    }

    private func stop(_ path: String, _ code: Int32) -> Never {
        Console.stop("cannot write \(printable(path)): \(System.reason(code))", .output)
    }

    /// The day of the record by UTC; "unknown" where it has no time.
    static func day(of line: [UInt8]) -> String {
        let key = timeKey
        var index = 0
        while index + key.count < line.count {
            if line[index] == key[0], line[index..<(index + key.count)].elementsEqual(key) {
                let digits = line[(index + key.count)...].prefix { $0 == 0x2D || $0 &- 0x30 < 10 }
                return Int64(String(decoding: digits, as: UTF8.self)).map { CalendarTime(nanoseconds: $0).date }
                    ?? "unknown"
            }
            index += 1
        }
        return "unknown"
    }

    /// The name with everything but letters, digits, `-`, `_` and `.` as `%` and two hexadecimal digits.
    static func folderName(_ name: String) -> String {
        name.utf8.reduce(into: "") { text, byte in
            let isPlain = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x5F, 0x2E].contains(byte)
            if isPlain, !(byte == 0x2E && text.isEmpty) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
