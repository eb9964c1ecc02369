import WireLogs
import WireNative

/// A log whose URLs, or paths, are all cut at one length. The calls of the capture are then known by what is left of
/// theirs.
struct CutURLs {
    /// Different cut paths of rows: fewer are no proof.
    private static let leastPaths = 3

    /// Bytes of a URL, or of a path.
    let limit: Int
    let isOfPath: Bool
    /// Rows whose path is cut, and the number of the first.
    let rows: Int
    let firstRow: Int

    /// Nil where paths are whole.
    init?(_ log: SDKLog, _ calls: [KeptCall]) {
        let whole = Set(
            calls.compactMap { call in call.record.path.map { log.pathForm.text(path: $0, query: call.record.query) } })
        let texts = whole.sorted { $0.lexicographicallyPrecedes($1) }
        var known: [Int32: Bool] = [:]
        var (cut, pathLengths, urlLengths) = (Set<Int32>(), Set<Int>(), Set<Int>())
        var (longestPath, longestURL) = (0, 0)
        for row in log.rows where row.path >= 0 {
            let path = log.texts[row.path]
            let url = path.count + CutURLs.lead(row, log)
            (longestPath, longestURL) = (max(longestPath, path.count), max(longestURL, url))
            let isCut = known[row.path] ?? (!whole.contains(path) && CutURLs.isPrefix(path, of: texts))
            known[row.path] = isCut
            guard isCut else { continue }
            cut.insert(row.path)
            pathLengths.insert(path.count)
            urlLengths.insert(url)
        }
        guard cut.count >= CutURLs.leastPaths else { return nil }
        if urlLengths == [longestURL] {
            (limit, isOfPath) = (longestURL, false)
        } else if pathLengths == [longestPath] {
            (limit, isOfPath) = (longestPath, true)
        } else {
            return nil
        }
        let places = log.rows.filter { cut.contains($0.path) }
        (rows, firstRow) = (places.count, places.first?.number ?? 1)
    }

    /// Bytes of a row's URL before its path.
    private static func lead(_ row: LogRow, _ log: SDKLog) -> Int {
        let host = row.host < 0 ? 0 : log.texts[row.host].count
        let isUsual = [0, 80, 443].contains(row.serverPort)
        return (row.isPlain ? 7 : 8) + host + (isUsual ? 0 : 1 + String(row.serverPort).utf8.count)
    }

    /// Whether some text goes on behind the path.
    private static func isPrefix(_ path: [UInt8], of texts: [[UInt8]]) -> Bool {
        var (low, high) = (0, texts.count)
        while low < high {
            let middle = (low + high) / 2
            if texts[middle].lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
        }
        return low < texts.count && texts[low].count > path.count && texts[low].starts(with: path)
    }

    /// The number of what is left of a call's path; nil where no row has it.
    func find(_ text: [UInt8], host: [UInt8], port: UInt16, in log: SDKLog) -> Int32? {
        var lengths = [limit]
        if !isOfPath {
            // The scheme may be either, and the port named or not.
            let rest = limit - host.count
            let digits = 1 + String(port).utf8.count
            lengths = [rest - 7, rest - 8, rest - 7 - digits, rest - 8 - digits]
        }
        for length in lengths where length > 0 && length < text.count {
            if let number = log.texts.find(Array(text.prefix(length))) { return number }
        }
        return nil
    }
}
