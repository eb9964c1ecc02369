import Platform
import WireCore

/// A key log on disk, or from a pipe, that may grow while captures are read.
///
/// A pipe is read once, to its end. A regular file is looked at again whenever a connection's secrets are missing: lines
/// behind those read before are added, and a file that got shorter, or that another file took the place of, is read from
/// its start. A file that is written anew in place, and is not shorter when it is looked at next, goes unnoticed.
public final class KeyLogFile: KeyLogFollower {
    private static let pieceSize = 64 << 10

    public let path: String
    /// Why its bytes could not be read to the end, in one clause; nil while they can.
    public private(set) var fault: String?
    private var file: InputFile
    private var source = KeyLog.Source()
    private let openFiles = OpenFiles()
    private var hasBeenRead = false
    /// What was found in it so far.
    private(set) var summary: KeyLogSummary

    /// A regular file whose beginning is more of a key log than of anything else.
    package static func isKeyLog(_ path: String) -> Bool {
        guard path != "-", InputFile.kind(of: path) == .regular, let file = try? KeyLogFile(path: path) else {
            return false
        }
        var piece = [UInt8](repeating: 0, count: pieceSize)
        guard case .bytes(let count) = file.file.read(into: &piece, 0..<piece.count) else { return false }
        let log = KeyLog()
        unsafe log.add(piece.span.bytes.extracting(0..<count))
        if count < pieceSize { log.endOfInput() }
        return log.lineCount + log.ignoredLines >= max(1, log.malformedLines)
    }

    /// Opens a file; "-" is standard input. Nothing is read yet.
    public init(path: String) throws(CaptureError) {
        self.path = path
        summary = KeyLogSummary(path: path)
        do throws(CaptureError) {
            file = try InputFile(path: path, among: openFiles)
        } catch {
            // What that one says to a directory, or to a terminal, is about captures.
            guard let reason = Self.ownReason(path) else { throw error }
            throw .cannotOpen(path: path, reason: reason)
        }
    }

    /// Opens key logs and reads what is in them by now. The log gets a follower for what they come to hold later, which
    /// is returned too.
    package static func open(
        paths: [String], into log: KeyLog = KeyLog()
    ) throws(CaptureError) -> (KeyLog, KeyLogFiles) {
        var files: [KeyLogFile] = []
        for path in paths {
            let file = try KeyLogFile(path: path)
            guard !files.contains(where: { $0.file.identity == file.file.identity }) else {
                throw .cannotOpen(path: path, reason: "it is named twice")
            }
            files.append(file)
        }
        for file in files {
            let hadBytes = file.read(into: log)
            // Keys that were read open what they can; where there are none the audit would not be what was asked for.
            if let fault = file.fault, !hadBytes { throw .cannotOpen(path: file.path, reason: fault) }
        }
        let follower = KeyLogFiles(files)
        log.follower = follower
        return (log, follower)
    }

    public func readMore(into log: KeyLog) -> Bool {
        guard fault == nil else { return false }
        guard file.isReopenable else { return hasBeenRead ? false : read(into: log) }
        var status = stat()
        // A file without a name any more can still grow.
        guard unsafe stat(systemName(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return read(into: log)
        }
        let identity = InputFile.Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
        if identity != file.identity {
            let hadMore = read(into: log)
            return replace(into: log) || hadMore
        }
        let size = Int(status.st_size)
        if size == file.position { return false }
        if size < file.position {
            log.endOfInput(of: &source)
            file.rewind()
        }
        return read(into: log)
    }

    /// Takes the file that is there now instead of the one it was.
    private func replace(into log: KeyLog) -> Bool {
        do throws(CaptureError) {
            let new = try InputFile(path: path, among: openFiles)
            log.endOfInput(of: &source)
            file.close()
            file = new
            return read(into: log)
        } catch {
            return false
        }
    }

    /// Reads to the end; false when there was nothing.
    private func read(into log: KeyLog) -> Bool {
        hasBeenRead = true
        let before = (secrets: log.lineCount + log.droppedLines, malformed: log.malformedLines)
        defer {
            summary.secrets += log.lineCount + log.droppedLines - before.secrets
            summary.malformed += log.malformedLines - before.malformed
        }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        var hadBytes = false
        reading: while true {
            switch file.read(into: &piece, 0..<piece.count) {
            case .bytes(let count):
                hadBytes = true
                unsafe log.add(piece.span.bytes.extracting(0..<count), of: &source)
            case .end: break reading
            case .failed(let reason):
                fault = reason
                summary.fault = reason
                break reading
            }
        }
        if file.isReopenable { log.pause(&source) } else { log.endOfInput(of: &source) }
        return hadBytes
    }

    private static func ownReason(_ path: String) -> String? {
        var status = stat()
        guard path != "-" else {
            return isatty(0) == 1 ? "it is a terminal; name a file" : nil
        }
        guard unsafe stat(systemName(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return "it is a directory; name a file"
    }
}

/// Several key logs that are followed as one.
package final class KeyLogFiles: KeyLogFollower {
    private var files: [KeyLogFile]
    /// Files that are not there yet, and why not where that is known.
    private var missing: [(path: String, reason: String?)] = []

    init(_ files: [KeyLogFile]) {
        self.files = files
    }

    /// Key logs of a live capture: regular files, which may come to be while it runs.
    package init(following paths: [String]) throws(CaptureError) {
        files = []
        for path in paths {
            switch InputFile.kind(of: path) {
            case .regular: files.append(try KeyLogFile(path: path))
            case .missing: missing.append((path, nil))
            case .hidden(let reason): throw .cannotOpen(path: path, reason: reason)
            case .directory: throw .cannotOpen(path: path, reason: "it is a directory; name a file")
            case .other:
                throw .cannotOpen(path: path, reason: "it is not a regular file, so it cannot be followed live")
            }
        }
    }

    package var summaries: [KeyLogSummary] { files.map(\.summary) + missing.map(Self.missing) }

    private static func missing(_ file: (path: String, reason: String?)) -> KeyLogSummary {
        var summary = KeyLogSummary(path: file.path)
        summary.problem = file.reason ?? "it was not found"
        return summary
    }

    /// Files that came to be, but cannot be opened: path and reason.
    package var problems: [(path: String, reason: String)] {
        missing.compactMap { file in file.reason.map { (file.path, $0) } }
    }

    package func readMore(into log: KeyLog) -> Bool {
        openNewOnes()
        var hadMore = false
        for file in files where file.readMore(into: log) { hadMore = true }
        return hadMore
    }

    private func openNewOnes() {
        for place in missing.indices.reversed() where InputFile.kind(of: missing[place].path) != .missing {
            do throws(CaptureError) {
                files.append(try KeyLogFile(path: missing[place].path))
                missing.remove(at: place)
            } catch {
                if case .cannotOpen(_, let reason) = error { missing[place].reason = reason }
            }
        }
    }
}
