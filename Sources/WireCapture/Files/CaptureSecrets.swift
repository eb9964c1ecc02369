import WireCore

/// Keys that stand in pcapng files behind the frames they are for: programs that capture and log keys at once write them
/// when they learn them.
///
/// Only when a key is missing, and then once, the files are looked through to their ends. Compressed files and pipes are
/// not: of those only keys in front of a connection's data are found.
final class CaptureSecrets: KeyLogFollower {
    private var paths: [String]
    private let other: (any KeyLogFollower)?
    private let openFiles = OpenFiles()

    /// - Parameters:
    ///   - paths: plain pcapng files.
    ///   - other: is asked as well.
    init(paths: [String], beside other: (any KeyLogFollower)?) {
        self.paths = paths
        self.other = other
    }

    func readMore(into log: KeyLog) -> Bool {
        var hadMore = other?.readMore(into: log) ?? false
        for path in paths where read(path, into: log) { hadMore = true }
        paths = []
        return hadMore
    }

    private func read(_ path: String, into log: KeyLog) -> Bool {
        let before = log.lineCount
        do throws(CaptureError) {
            let file = try InputFile(path: path, among: openFiles)
            let reader = CaptureFileReader(file: file, bufferSize: 512 << 10)
            var pause = CaptureFileReader.Pause.needsBytes
            while pause != .finished {
                if pause == .needsBytes { reader.refill() }
                pause = try reader.drain(through: .max) { _, _, _, _ in }
                let secrets = reader.removeSecrets()
                if !secrets.isEmpty { unsafe log.add(secrets.span.bytes) }
            }
        } catch {
            // The audit itself reads the file and says what is wrong with it.
        }
        return log.lineCount > before
    }
}
