import WireCore
import WireEstimates
import WireLogs
import WireNative

/// An exchange that is kept until logs are compared with it.
struct KeptCall {
    /// Number among the report's APIs; -1 where the report is not about it.
    var api: Int
    /// The same for exchanges of one API, whatever the report is about.
    var apiName: Int32
    /// Nothing of it is missing: its bytes can be compared with estimates.
    var isWhole: Bool
    /// The report is about it.
    var isSelected: Bool
    /// It is in the report's figures.
    var isCounted: Bool { isSelected && isWhole }
    var host: Int32
    var method: Int32
    /// The record, without the texts that its heads hold too. Of exchanges beyond the limit without heads.
    var record: ExchangeRecord
    /// The request whose redirection led to it.
    var redirectedFrom: ObservedRequest?
    /// Its place among the calls; -1 for none.
    var redirectedFromPlace: Int32 = -1
    /// Place of the call that may have followed this one's redirection, and this one its; -1 for none.
    var redirectRivalPlace: Int32 = -1

    /// What estimators see of it.
    var exchange: ObservedExchange {
        var exchange = ObservedExchange(record)
        exchange.redirectedFrom = redirectedFrom
        return exchange
    }
}

/// The exchanges that logs are compared with, in the order of their times.
struct KeptCalls {
    /// Heads are kept of so many exchanges; beyond it errors of logs are not told by cause.
    private let headLimit: Int

    private(set) var calls: [KeptCall] = []
    private(set) var hosts = InternedTexts()
    private(set) var methods = InternedTexts()
    private var apis = InternedTexts()
    private(set) var headsDropped = 0
    private(set) var openings: [Int: Int64] = [:]
    private var redirectPlaces: [ExchangePlace: Int32] = [:]
    /// Of calls that follow a redirection.
    private var followerPlaces: [ExchangePlace: Int32] = [:]

    init(headLimit: Int) { self.headLimit = headLimit }

    mutating func append(
        _ record: ExchangeRecord, api: Int, isWhole: Bool, isSelected: Bool, keepsHead: Bool,
        redirect: RedirectLinks.Finding
    ) {
        var record = record
        let host = hosts.number(KeptCalls.withoutPort(record.host))
        let method = record.method.map { methods.number($0) } ?? -1
        let apiName = apis.number(record.api)
        record.api = []
        record.target = nil
        if !keepsHead || calls.count >= headLimit {
            if keepsHead { headsDropped += 1 }
            record.requestHead = nil
            record.responseHead = nil
        }
        let own = Int32(truncatingIfNeeded: calls.count)
        let origin = redirect.origin.flatMap { redirectPlaces.removeValue(forKey: $0.place) }
        if let status = record.status, 300..<400 ~= status, status != 304 {
            redirectPlaces[ExchangePlace(record)] = own
        }
        if origin != nil { followerPlaces[ExchangePlace(record)] = own }
        calls.append(
            KeptCall(
                api: api, apiName: apiName, isWhole: isWhole, isSelected: isSelected, host: host, method: method,
                record: record,
                redirectedFrom: redirect.origin?.request, redirectedFromPlace: origin ?? -1,
                redirectRivalPlace: redirect.rival.flatMap { followerPlaces[$0] } ?? -1)
        )
    }

    /// Remembers when a connection with exchanges was opened.
    mutating func note(_ record: ConnectionRecord) {
        if record.exchanges > 0, !record.flags.contains(.noStart) { openings[record.connection] = record.time }
    }

    /// Logs write hosts without their ports; those are compared on their own.
    static func withoutPort(_ host: [UInt8]) -> [UInt8] { Authority(host).host }
}

extension SDKLog.PathForm {
    /// A request target as a log of this form writes it.
    package func text(path: [UInt8], query: [UInt8]?) -> [UInt8] {
        let target = URLText.target(path + (query.map { [0x3F] + $0 } ?? []))
        let path = target.prefix { $0 != 0x3F }
        switch self {
        case .encoded: return Array(path)
        case .encodedWithQuery: return target
        case .decoded:
            var text = SDKLog.PathForm.percentDecoded(Array(path))
            if text.count > 1, text.last == 0x2F { text.removeLast() }
            return text
        }
    }

    private static func percentDecoded(_ path: [UInt8]) -> [UInt8] {
        guard path.contains(0x25) else { return path }
        var text: [UInt8] = []
        text.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            if path[index] == 0x25, index + 2 < path.count, let high = digit(path[index + 1]),
                let low = digit(path[index + 2])
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(path[index])
                index += 1
            }
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
