import Testing

@testable import WireLogs

@Suite("CFNetwork's task summaries")
struct CFNetworkLogTests {
    private static func summary(_ task: Int, _ values: String) -> String {
        "Task <0A1B2C3D-0000-4000-8000-00000000000\(task)>.<\(task)> summary for task success {\(values)}"
    }

    private static let first = """
        transaction_duration_ms=150, response_status=200, connection=1, protocol="http/1.1", \
        domain_lookup_duration_ms=2, connect_duration_ms=30, secure_connection_duration_ms=20, \
        private_relay=false, request_start_ms=50, request_duration_ms=0, response_start_ms=140, response_duration_ms=10, request_bytes=319, \
        request_throughput_kbps=1, response_bytes=279, response_throughput_kbps=2, cache_hit=false
        """

    private static let reused =
        "response_status=204, reused=1, reused_after_ms=10, request_bytes=610, response_bytes=322, cache_hit=0"
    private static let revalidated = "response_status=304, request_bytes=463, response_bytes=372, cache_hit=true"
    private static let cached = "response_status=200, request_bytes=0, response_bytes=0, cache_hit=true"

    @Test("a summary is a row, with the URL that an earlier line of its task names")
    func summaries() throws {
        let log = try LogSamples.read(
            """
            2026-11-21 14:03:38.100000+0000 App[1:2] [Default] Task <0A1B2C3D-0000-4000-8000-000000000001>.<1> GET \
            https://Api.test/a?b=c, timeouts(60.0, 604800.0)
            2026-11-21 14:03:38.100000+0000 App[1:2] [C1] Task <0A1B2C3D-0000-4000-8000-000000000002>.<2> resuming
            2026-11-21 14:03:38.250000+0000 App[1:2] \(Self.summary(1, Self.first))
            something else
            2026-11-21 14:03:39.250000+0000 App[1:2] \(Self.summary(2, Self.reused))
            2026-11-21 14:03:40.250000+0000 App[1:2] \(Self.summary(1, Self.revalidated))
            2026-11-21 14:03:41.250000+0000 App[1:2] \(Self.summary(4, Self.cached))
            """)
        #expect(log.format == .cfnetwork)
        #expect(
            log.lines == [
                "exchange GET api.test /a?b=c 200 1795269818150000000 1795269818250000000 "
                    + "up -/-/-/319/- down -/-/-/279/-",
                "exchange - - - 204 1795269819250000000 1795269819250000000 up -/-/-/610/- down -/-/-/322/-",
                "exchange - - - 304 1795269820250000000 1795269820250000000 up -/-/-/463/- down -/-/-/372/-",
            ])
        #expect(log.rows.map(\.number) == [3, 5, 6])
        #expect(log.timeResolution == 10_000_000)
        #expect(
            log.complaints == [
                "no line names the URL of the task 2 @5",
                "tasks answered from the cache are not on the wire 1 @7",
            ])
    }

    @Test("broken summaries are counted")
    func problems() throws {
        let log = try LogSamples.read(
            """
            \(Self.summary(1, "request_bytes=x, response_bytes=-4, response_status=-1"))
            \(Self.summary(2, "request_bytes=5"))
            Task <X>.<1> summary for task success
            Task <X>.<1> summary for task success {request_bytes=5, response_bytes=6
            Task <
            """)
        #expect(
            log.rows.map { "\($0.up.text) \($0.down.text)" } == [
                "-/-/-/-/- -/-/-/-/-", "-/-/-/5/- -/-/-/-/-", "-/-/-/5/- -/-/-/6/-",
            ])
        #expect(log.rejectedRows == 1)
        #expect(log.timeResolution == 0)
        #expect(
            log.complaints == [
                "request_bytes is not a number 1 @1", "response_bytes is negative 1 @1",
                "response_status is not a status code 1 @1", "no line names the URL of the task 3 @1",
                "lines have no time 3 @1", "response_bytes is missing 1 @2", "a summary has no values 1 @3",
                "a summary is cut 1 @4",
            ])
    }

    @Test("times without year keep their differences")
    func syslog() throws {
        let log = try LogSamples.read(
            """
            Nov 21 14:03:38 phone App(CFNetwork)[1] <Notice>: \(Self.summary(1, "request_bytes=1, response_bytes=2"))
            Nov 21 14:03:40 phone App(CFNetwork)[1] <Notice>: \(Self.summary(2, "request_bytes=1, response_bytes=2"))
            """)
        #expect(log.rows.map { $0.time - log.rows[0].time } == [0, 2_000_000_000])
        #expect(log.complaints.contains("times have no year: only their differences count 1"))
    }
}
