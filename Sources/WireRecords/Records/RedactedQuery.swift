import WireCore

extension ReportOptions {
    /// The record as it may be shown; its names are redacted where they are made.
    package func redacted(_ record: ExchangeRecord) -> ExchangeRecord {
        guard redactsQuery else { return record }
        var shown = record
        shown.query = redacted(query: shown.query)
        shown.target = shown.target.map(RedactedURL.of)
        shown.path = redacted(path: shown.path)
        return shown
    }

    package func redacted(path: [UInt8]?) -> [UInt8]? { redactsQuery ? path.map(RedactedURL.of) : path }

    package func redacted(query: [UInt8]?) -> [UInt8]? { redactsQuery ? query.map { _ in RedactedURL.word } : query }
}
