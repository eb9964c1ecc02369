import Spelling
import WireCore

/// The user's choice of hosts, APIs and apps. Patterns ignore case (of ASCII letters); one without `*` may stand anywhere in
/// the text, one with `*` must fit all of it. Of several patterns one must fit; hosts, APIs and apps must all fit.
public struct Selection: Sendable {
    public let hosts: [String]
    public let apis: [String]
    /// The audit itself leaves out what is of other apps (`AuditOptions.includesApp`).
    public let apps: [String]
    private let hostPatterns: [TextPattern]
    private let apiPatterns: [TextPattern]
    private let appPatterns: [TextPattern]

    public init(hosts: [String] = [], apis: [String] = [], apps: [String] = []) {
        self.hosts = hosts
        self.apis = apis
        self.apps = apps
        appPatterns = apps.map { TextPattern($0, anywhere: true) }
        hostPatterns = hosts.map { TextPattern($0, anywhere: true) }
        apiPatterns = apis.map { TextPattern($0, anywhere: true) }
    }

    public var isEmpty: Bool { hosts.isEmpty && apis.isEmpty && apps.isEmpty }

    /// Nil stands for what names no app.
    package func includes(app: String?) -> Bool {
        apps.isEmpty || app.map { fits(Array($0.utf8), appPatterns) } == true
    }

    package func includes(host: [UInt8]) -> Bool { fits(host, hostPatterns) }

    package func includes(host: [UInt8], api: [UInt8]) -> Bool { fits(host, hostPatterns) && fits(api, apiPatterns) }

    /// A row of the API table: `method host path-template`.
    package func includes(api: String) -> Bool {
        let bytes = Array(api.utf8)
        return includes(host: APISummary.host(api: bytes), api: bytes)
    }

    package func includes(_ row: APISummary) -> Bool {
        row.isEncrypted ? includes(encrypted: row.api) : includes(api: row.api)
    }

    private func includes(encrypted api: String) -> Bool {
        let bytes = Array(api.utf8)
        return includes(host: APISummary.host(encrypted: bytes), api: bytes)
    }

    /// A row of the API table by its name alone.
    package func includes(row api: String) -> Bool {
        api.hasSuffix(")") && api.contains("://") && api.contains(" (encrypted")
            ? includes(encrypted: api) : includes(api: api)
    }

    /// A row of the table of hosts. A choice of APIs alone leaves all hosts in.
    package func includes(hostRow host: String) -> Bool { includes(host: Array(host.utf8)) }

    private func fits(_ text: [UInt8], _ patterns: [TextPattern]) -> Bool {
        patterns.isEmpty || NameSpellings.all(text).contains { text in patterns.contains { $0.matches(text) } }
    }
}

extension APISummary {
    /// The host that its name has in it.
    package var host: [UInt8] {
        let bytes = Array(api.utf8)
        return isEncrypted ? APISummary.host(encrypted: bytes) : APISummary.host(api: bytes)
    }

    /// Of `method host path-template`.
    package static func host(api: [UInt8]) -> [UInt8] {
        let parts = api.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 1 ? Array(parts[1]) : api
    }

    /// Of `https://host (encrypted)` or `tls://host:5432 (encrypted postgresql)`.
    package static func host(encrypted api: [UInt8]) -> [UInt8] {
        Array(api.drop { $0 != 0x2F }.dropFirst(2).prefix { $0 != 0x20 })
    }
}
