import Testing
import WireCore
import WireOpportunities

@testable import WireRecords
@testable import WireReport

@Suite("What an audit rests on")
struct AuditTrustTests {
    private func audit(_ change: (inout AuditResult) -> Void) -> AuditTrust {
        var result = sampleAudit()
        result.files[0].dropped = nil
        result.findings = []
        for direction in [\Directions<CostVector>.up, \.down] {
            result.ledger.causes[keyPath: direction][.body] += result.ledger.causes[keyPath: direction][.opaque]
            result.ledger.causes[keyPath: direction][.opaque] = 0
        }
        change(&result)
        result.ledger.owned = result.ledger.causes
        return AuditTrust(result)
    }

    @Test("nothing missing: the balance says so, and says what it does not")
    func whole() {
        let trust = audit { _ in }
        #expect(trust.grade == .whole && trust.reasons.isEmpty)
        #expect(trust.sentence.hasPrefix("Books balance: every captured byte is counted once"))
    }

    @Test(
        "a finding that leaves content unknown or contradicts itself puts it in doubt; others do not",
        arguments: FindingCode.allCases)
    func doubt(code: FindingCode) {
        let trust = audit { $0.findings = [FindingCount(code: code, count: 2, file: "", packet: 1)] }
        #expect(trust.isWithoutDoubt == trust.sentence.hasSuffix("nothing is known to be missing or was left unread."))
        if code.severity != .info { #expect(!trust.isWithoutDoubt && !trust.reasons.isEmpty, "\(code.code)") }
        let harmless: [FindingCode] = [.timeWentBack, .lengthFromFrame, .checksumWrong, .apiLimit, .clockSkew]
        if harmless.contains(code) { #expect(trust.isWithoutDoubt, "\(code.code)") }
    }

    @Test("what could not be understood is named, with its number")
    func named() {
        let trust = audit {
            $0.findings = [
                FindingCount(code: .checksumWrong, count: 9, file: "", packet: 1),
                FindingCount(code: .decodeFailed, count: 3, file: "", packet: 1),
            ]
        }
        #expect(
            trust.sentence
                == "Books balance: every captured byte is counted once; nothing is known to be missing, but not all could be "
                + "understood: A body does not match its content coding; its decoded size is unknown (3 times).")
        #expect(audit { _ in }.isWithoutDoubt)
        #expect(!audit { $0.files[0].dropped = 1 }.isWithoutDoubt && !audit { $0.files[0].snapped = 1 }.isWithoutDoubt)
        #expect(!audit { $0.ledger.other.quic = 40 }.isWithoutDoubt)
    }

    @Test("what may be counted twice is no comfort", arguments: [FindingCode.repeatUnproved, .translationUnproved])
    func countedTwice(code: FindingCode) {
        let trust = audit { $0.findings = [FindingCount(code: code, count: 2, file: "", packet: 1)] }
        #expect(!trust.isWithoutDoubt && trust.reasons.count == 1)
        #expect(!trust.sentence.contains("nothing is known to be missing"))
    }

    @Test("connections that began before the capture are no comfort, and stand beside what was not read")
    func late() {
        let one = audit { $0.lateConnections = 1 }
        #expect(!one.isWithoutDoubt && one.grade == .whole && one.reasons.count == 1)
        #expect(
            one.sentence
                == "Books balance; 1 connection may have begun before the capture: what it carried before is in no "
                + "figure.")
        let more = audit {
            $0.lateConnections = 3
            $0.ledger.causes.down[.opaque] += 40
            $0.ledger.causes.down[.body] -= 40
        }
        #expect(more.remark.hasPrefix("3 connections may have begun before the capture: what they carried before"))
        #expect(more.remark.hasSuffix("could not be read") && more.grade == .unread)
        let lost = audit { ($0.lateConnections, $0.files[0].dropped) = (3, 9) }
        #expect(lost.remark.contains("packets are missing") && lost.reasons.count == 2)
    }

    @Test("calls whose end was not captured, and paths of MPTCP apart from theirs, are no comfort")
    func unfinished() {
        let one = audit { $0.unfinishedExchanges = 1 }
        #expect(!one.isWithoutDoubt && one.grade == .whole && one.reasons.count == 1)
        #expect(
            one.sentence
                == "Books balance; the end of 1 call is not in the capture: what followed is in no figure.")
        for code in [FindingCode.multipath, .multipathApart] {
            let torn = audit {
                $0.findings = [FindingCount(code: code, count: 2, file: "", packet: 1)]
                $0.ledger.causes.down[.opaque] += 40
                $0.ledger.causes.down[.body] -= 40
            }
            #expect(
                torn.remark.hasPrefix("data of 2 paths of MPTCP are missing or have no place") && torn.reasons.count > 1
            )
            #expect(!torn.sentence.contains("nothing is known to be missing"))
        }
    }

    @Test("where connections count that were captured at both sides of a translation")
    func countedPlaces() {
        func message(_ points: [CountedPoint], files: Int = 1) -> String? {
            var result = AuditResult()
            result.files = (0..<files).map { CaptureFileSummary(path: "\($0).pcap", format: "pcap") }
            result.findings = [FindingCount(code: .translated, count: 3, file: "", packet: 1)]
            result.countedPoints = points
            let sentence = FindingCode.translated.sentence.dropLast()
            return warnings(of: result).first.map { String($0.message.dropFirst(sentence.count)) }
        }
        #expect(message([]) == ".")
        #expect(message([CountedPoint(file: "0.pcap", interface: nil, connections: 3)]) == ".")
        #expect(message([CountedPoint(file: "0.pcap", interface: 3, connections: 3)]) == ": interface 3.")
        let named = CountedPoint(file: "0.pcap", interface: 3, name: "en0", connections: 3)
        #expect(message([named]) == ": interface en0.")
        let two = [
            CountedPoint(file: "0.pcap", interface: 3, connections: 2),
            CountedPoint(file: "1.pcap", interface: nil, connections: 1),
        ]
        #expect(message(two, files: 2) == ": interface 3 of 0.pcap (2 connections) and 1.pcap (1 connection).")
    }

    @Test("lost packets come before the balance's comfort")
    func lost() {
        let trust = audit { $0.files[0].dropped = 1704 }
        #expect(trust.grade == .incomplete)
        #expect(trust.sentence == "Books balance; 58.0 % of the packets are missing: figures are lower bounds.")
        #expect(trust.reasons == ["The capturing program lost 1,704 packets; 1,234 are in the capture."])
    }

    @Test("cut packets, gaps, damaged files")
    func incomplete() {
        let cut = audit { $0.files[0].snapped = 617 }
        #expect(
            cut.sentence == "Books balance; 50.0 % of the packets are cut: sizes are exact, some content is unknown.")
        let gap = audit { $0.findings = [FindingCount(code: .streamGap, count: 3, file: "", packet: 1)] }
        #expect(
            gap.sentence == "Books balance; bytes of connections are missing at 3 places: figures are lower bounds.")
        let damaged = audit { $0.files[0].damagedAt = 4096 }
        #expect(damaged.grade == .incomplete && damaged.reasons[0].contains("up to byte 4,096 only"))
    }

    @Test("TLS that was not read: how much, in how many connections, and what to do")
    func unread() {
        func hide(_ result: inout AuditResult) {
            var row = APISummary(api: "https://x.example (encrypted)")
            row.isEncrypted = true
            row.costs.down[.opaque] = 89_500
            result.apis.append(row)
            result.hosts[1].setup.unreadConnections = 3
            result.ledger.causes.down[.opaque] += 89_500
            result.ledger.causes.down[.body] -= 89_500
        }
        let without = audit { hide(&$0) }
        #expect(without.grade == .unread)
        #expect(without.reasons == ["89.5 kB in 3 TLS connections were not read; give --keys FILE to see the calls."])
        let with = audit {
            hide(&$0)
            $0.keyLogs = [KeyLogSummary(path: "k")]
        }
        #expect(with.reasons[0].hasSuffix("the key logs that were given do not have their keys."))
    }

    private static let unreadKinds: [(kind: WritableKeyPath<OtherTotals, Int> & Sendable, words: String)] = [
        (\.quic, "5.00 kB of QUIC are counted, but not read."),
        (\.udp, "5.00 kB of other UDP are counted, but not read."),
        (
            \.otherIP,
            "5.00 kB of other IP protocols, and of fragments that are no whole datagram, are counted, but not read."
        ),
    ]

    @Test("what no reader knows is not passed over", arguments: unreadKinds.indices)
    func unreadKind(index: Int) {
        let example = Self.unreadKinds[index]
        let trust = audit {
            $0.ledger.other.dns = 0
            $0.ledger.other[keyPath: example.kind] = 5000
            $0.ledger.datagrams = $0.ledger.other.datagrams
        }
        #expect(trust.grade == .unread && trust.reasons == [example.words])
    }

    @Test("what is missing does not hide what was not read")
    func lostAndUnread() {
        let trust = audit {
            $0.findings = [FindingCount(code: .streamGap, count: 1, file: "", packet: 1)]
            $0.ledger.causes.down[.opaque] += 891_000
            $0.ledger.causes.down[.body] -= 891_000
        }
        #expect(
            trust.remark == "bytes of connections are missing at 1 place: figures are lower bounds; 89.1 % of the IP "
                + "bytes could not be read")
        #expect(trust.grade == .incomplete && trust.reasons.count == 2)
    }

    @Test("frames without IP that nobody read are unread, as a share of all frames")
    func unreadFrames() {
        func hide(_ result: inout AuditResult) {
            result.ledger.layers.nonIP += 3_000_000
            result.ledger.bytes += 3_000_000
        }
        let control = audit { hide(&$0) }
        #expect(control.grade == .whole && control.unread.bytes == 0)
        let trust = audit {
            hide(&$0)
            $0.ledger.unreadFrames = 3_000_000
        }
        #expect(trust.grade == .unread && trust.unread.bytes == 3_000_000)
        #expect(
            trust.sentence
                == "Books balance and nothing is known to be missing; 73.9 % of the bytes of all frames could "
                + "not be read: they are counted, their calls are not.")
        let reason = "3.00 MB of frames without IP are counted, but not read: they are"
        #expect(trust.reasons.last?.hasPrefix(reason) == true)
        // Without any IP, too: that nothing was lost is no reason for trust.
        var empty = AuditResult()
        empty.files = [CaptureFileSummary(path: "a", format: "pcap")]
        empty.files[0].packets = 2
        (empty.ledger.bytes, empty.ledger.layers.nonIP, empty.ledger.unreadFrames) = (120, 120, 60)
        #expect(AuditTrust(empty).remark.contains("50.0 % of the bytes of all frames could not be read"))
    }

    @Test("an empty capture is no reason for trust")
    func empty() {
        let trust = AuditTrust(AuditResult())
        #expect(trust.sentence == "Books balance: the capture has no packets." && trust.isEmpty)
        var result = AuditResult()
        result.files = [CaptureFileSummary(path: "a", format: "pcap")]
        result.files[0].filtered = 3
        #expect(AuditTrust(result).remark == "no packet matches the filter")
        result.files[0].packets = 2
        #expect(AuditTrust(result).remark == "the capture has no IP packet")
    }

    @Test("books that do not balance are a defect, whatever else there is")
    func contradictory() {
        let trust = audit { $0.ledger.bytes += 1 }
        #expect(trust.grade == nil && trust.sentence.contains("do not rely on these figures"))
    }

    @Test(
        "whether connections are reused",
        arguments: [
            (1, 9, 0, 1, 0, "1 connection for 9 calls: reused"), (1, 1, 0, 1, 0, "1 connection for 1 call"),
            (3, 9, 0, 3, 0, "3 connections for 9 calls: each was needed"),
            (651, 651, 0, 12, 213_000, "651 connections for 651 calls: no reuse; 213 kB, 1.4 %"),
            (9, 40, 0, 2, 900, "9 connections for 40 calls; 2 would have been enough: 900 B, <0.1 %"),
            (4, 0, 4, 4, 0, "4 connections, calls not known"),
            (4, 0, 4, 1, 900, "4 connections, calls not known; 1 would have been enough at one time: 900 B, <0.1 %"),
        ])
    func reuse(connections: Int, calls: Int, unread: Int, needed: Int, saving: Int, expected: String) {
        var reuse = HostReuse()
        (reuse.connections, reuse.calls, reuse.unread) = (connections, calls, unread)
        (reuse.needed, reuse.saving) = (needed, saving)
        #expect(reuse.verdict(of: 15_200_000) == expected)
    }
}
