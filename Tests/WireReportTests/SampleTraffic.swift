import WireCore

@testable import WireOpportunities
@testable import WireRecords
@testable import WireReport

/// Calls and connections made by hand, as an audit would give them to a page's sample.
struct SampleTraffic {
    var calls = 40
    var callsPerConnection = 10
    var apis = 4
    /// Stands in names of APIs, hosts and paths.
    var text = ""
    var options = ReportOptions()
    var limits = (calls: TrafficSample.standardCalls, connections: TrafficSample.standardConnections)

    private static let start: Int64 = 1_795_168_800_123_456_789
    private static let second: Int64 = 1_000_000_000

    func api(_ call: Int) -> String { "GET h\(call % apis)\(text).example /a\(call % apis)/{id}\(text)" }
    func host(_ call: Int) -> String { "h\(call % apis)\(text).example" }

    func exchange(_ call: Int) -> ExchangeRecord {
        var record = ExchangeRecord.blank
        record.connection = call / callsPerConnection
        record.exchange = call % callsPerConnection
        record.time = Self.start + Int64(call) * Self.second / 10
        record.requestEnd = record.time + 1_000_000
        record.timeToFirstByte = 20_000_000
        record.responseEnd = record.time + 45_000_000
        record.duration = 45_000_000
        record.api = Array(api(call).utf8)
        record.host = Array(host(call).utf8)
        record.path = Array("/a\(call % apis)/\(call)\(text)".utf8)
        record.status = 200
        record.costs.up[.headers] = 300 + call
        record.costs.up[.setupTCP] = call.isMultiple(of: callsPerConnection) ? 180 : 0
        record.costs.down[.body] = 1000 + call * 7 % 5000
        record.costs.down[.tcpip] = 52
        record.costs.down[.retransmission] = call.isMultiple(of: 9) ? 1500 : 0
        return record
    }

    func connection(_ number: Int) -> ConnectionRecord {
        var record = ConnectionRecord.blank
        let calls = (number * callsPerConnection..<min((number + 1) * callsPerConnection, self.calls)).map(exchange)
        record.connection = number
        record.client = Endpoint(address: IPAddress(version4: 0x0A00_0001), port: UInt16(50_000 + number % 10_000))
        record.server = Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 80)
        record.time = (calls.first?.time ?? Self.start) - 30_000_000
        record.duration = (calls.last?.time ?? record.time) + 100_000_000 - record.time
        record.exchanges = calls.count
        record.applicationProtocol = "http/1.1"
        record.close = .fin
        for call in calls { record.costs += call.costs }
        return record
    }

    /// The connections behind their calls, as an audit ends them.
    func sample(reversed: Bool = false) -> TrafficSample {
        let sample = TrafficSample(calls: limits.calls, connections: limits.connections, options: options)
        let numbers = Array(0..<(calls + callsPerConnection - 1) / callsPerConnection)
        for number in reversed ? numbers.reversed() : numbers {
            let own = number * callsPerConnection..<min((number + 1) * callsPerConnection, calls)
            for call in reversed ? own.reversed() : Array(own) { sample.receive(exchange(call)) }
            sample.receive(connection(number))
        }
        return sample
    }

    /// The result that goes with the calls.
    var audit: AuditResult {
        var result = sampleAudit()
        result.files[0].dropped = nil
        result.findings = []
        result.exchanges = calls
        result.connections = (calls + callsPerConnection - 1) / callsPerConnection
        var rows: [String: APISummary] = [:]
        var hosts: [String: HostSummary] = [:]
        for call in 0..<calls {
            let costs = exchange(call).costs
            rows[api(call), default: APISummary(api: api(call))].exchanges += 1
            rows[api(call)]?.costs += costs
            hosts[host(call), default: HostSummary(host: host(call))].exchanges += 1
            hosts[host(call)]?.costs += costs
            hosts[host(call)]?.connections = 1
        }
        var setup = SetupSummary()
        (setup.usedConnections, setup.exchanges) = (651, 651)
        (setup.neededConnections, setup.reuseSaving) = (12, 213_000)
        hosts[host(0)]?.setup = setup
        result.apis = Array(rows.values)
        result.hosts = Array(hosts.values)
        return result
    }

    var input: AuditPageInput {
        var report = OpportunityReport()
        report.opportunities = Opportunity.Kind.allCases.map { kind in
            var item = Opportunity(kind, isComputed: kind != .polling)
            (item.bytes, item.count) = (5000, 3)
            item.subjects = [.init(name: api(0), bytes: 3000, count: 2), .init(name: host(0), bytes: 2000, count: 1)]
            return item
        }
        (report.wire, report.computedTotal, report.unreadCalls) = (900_000, 12_345, 2)
        var fields = HeaderFieldRow(api: api(0), host: host(0))
        fields.requests = 3
        var field = HeaderFieldRow.Field(name: "x-field\(text)")
        (field.requests, field.text.up, field.sent.up) = (3, 120, 110)
        field.advice = [HeaderAdvice(.spelling, isRequest: true, saving: 30, better: "gzip\(text)")]
        fields.fields = [field]
        fields.other = Directions(up: 40, down: 10)
        fields.sent = Directions(up: 150, down: 10)
        return AuditPageInput(
            additions: AuditAdditions(opportunities: report, headerFields: [fields]), sample: sample())
    }

    var page: String { auditHTML(audit, options: options, input).text }
}
