/// Reads the log of an SDK.
public enum SDKLogReader {
    /// Most rows that are kept unless the caller says otherwise. A million take about 160 MB.
    public static let standardRowLimit = 4_000_000

    /// Most bytes of the texts of its rows, such as URLs, unless the caller says otherwise.
    public static let standardTextBudget = 256 << 20

    /// What an error names as possible.
    private static let accepted = "accepted are " + SDKLogFormat.titles.joined(separator: ", ")

    /// Reads a log whose bytes the source gives; a database is opened by its path where that is a plain file.
    ///
    /// - Parameters:
    ///   - format: taken as it is; nil: found out from the content.
    ///   - columns: what the owner of the log says of its columns, which is then of no other format.
    ///   - rowLimit: most rows that are kept. A log with more is incomplete, and says so.
    ///   - textBudget: most bytes of their texts, with 64 for each. Rows with further texts are left out likewise.
    public static func read(
        path: String, format: SDKLogFormat? = nil, columns: LogColumns? = nil, source: any LogByteSource,
        rowLimit: Int = standardRowLimit, textBudget: Int = standardTextBudget
    ) throws(SDKLogError) -> SDKLog {
        let bytes = LogBytes(source)
        if let reason = source.openingFault { throw SDKLogError(.cannotOpen, "cannot open \(path): \(reason)") }
        let reader = LogFormatReader(
            path: path, bytes: bytes, columns: columns, rowLimit: rowLimit, textBudget: textBudget)
        do throws(LogRefusal) {
            return try reader.read(format)
        } catch {
            if error.isOpening { throw SDKLogError(.cannotOpen, "cannot open \(path): \(error.reason)") }
            if source.hasReadingFault, let fault = source.fault {
                throw SDKLogError(.cannotOpen, "cannot open \(path): \(fault)")
            }
            let fault = source.fault.map { "; " + $0 } ?? ""
            let wanted =
                columns != nil
                ? "cannot be read with these columns"
                : format.map { "is not a \($0.rawValue) log" } ?? "is not a log that can be read"
            let hint = format == nil && columns == nil ? "; " + accepted : ""
            throw SDKLogError(.notALog, "\(path) \(wanted): \(error.reason)\(fault)\(hint)")
        }
    }
}
