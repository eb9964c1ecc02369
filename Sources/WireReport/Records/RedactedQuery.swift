import WireCore

extension ReportOptions {
    /// What stands in outputs instead of a query.
    private static let redaction = Array("redacted".utf8)

    /// The record as it may be shown: a query says only that there was one.
    func redacted(_ record: ExchangeRecord) -> ExchangeRecord {
        guard redactsQuery else { return record }
        var shown = record
        if shown.query != nil { shown.query = ReportOptions.redaction }
        shown.target = shown.target.map { withoutQuery($0) }
        return shown
    }

    /// A target, path or URL as it may be shown.
    public func redacted(target: String) -> String {
        guard redactsQuery else { return target }
        return String(decoding: withoutQuery(Array(target.utf8)), as: UTF8.self)
    }

    private func withoutQuery(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: 0x3F) else { return target }
        return target[...mark] + ReportOptions.redaction
    }
}
