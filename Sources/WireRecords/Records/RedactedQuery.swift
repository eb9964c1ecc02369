import WireCore

extension ReportOptions {
    /// What stands in outputs instead of a query.
    private static let redaction = Array("redacted".utf8)

    /// The record as it may be shown: a query says only that there was one.
    package func redacted(_ record: ExchangeRecord) -> ExchangeRecord {
        guard redactsQuery else { return record }
        var shown = record
        if shown.query != nil { shown.query = ReportOptions.redaction }
        shown.target = shown.target.map { withoutSecrets($0) }
        return shown
    }

    /// A target, path or URL as it may be shown.
    public func redacted(target: String) -> String {
        guard redactsQuery else { return target }
        return String(decoding: withoutSecrets(Array(target.utf8)), as: UTF8.self)
    }

    private func withoutSecrets(_ target: [UInt8]) -> [UInt8] { withoutQuery(withoutCredentials(target)) }

    /// Credentials stand before the host (RFC 3986 §3.2.1) of an absolute target, and of one that is a host.
    private func withoutCredentials(_ target: [UInt8]) -> [UInt8] {
        guard target.first != 0x2F else { return target }
        let scheme = target.prefix(12).firstIndex(of: 0x3A).flatMap { colon in
            target[colon...].starts(with: Array("://".utf8)) ? colon + 3 : nil
        }
        let authority = target[(scheme ?? 0)...].prefix { $0 != 0x2F && $0 != 0x3F }
        guard let mark = authority.lastIndex(of: 0x40) else { return target }
        return target[..<authority.startIndex] + ReportOptions.redaction + target[mark...]
    }

    private func withoutQuery(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: 0x3F) else { return target }
        return target[...mark] + ReportOptions.redaction
    }
}
