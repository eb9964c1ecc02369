import WireCore

extension ReportOptions {
    /// The record as it may be shown; its names are redacted where they are made.
    package func redacted(_ record: ExchangeRecord) -> ExchangeRecord {
        guard redactsQuery else { return record }
        var shown = record
        if shown.query != nil { shown.query = RedactedURL.word }
        shown.target = shown.target.map(RedactedURL.of)
        shown.path = shown.path.map(RedactedURL.of)
        return shown
    }
}
