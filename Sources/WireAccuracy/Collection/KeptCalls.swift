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
