import WireCore
import WireRecords

/// What the figures of an audit rest on: whether the books balance, and what was lost, cut, or not read. A balance alone
/// says that no byte of the capture was forgotten; it says nothing of packets that the capture lacks.
struct AuditTrust {
    /// Nil: the books do not balance.
    let grade: CaptureLoss.Trust?
    /// There is nothing to rely on.
    let isEmpty: Bool
    /// Nothing is missing, all was read, and nothing that was met puts what was read in doubt.
    let isWithoutDoubt: Bool
    /// The verdict in a sentence.
    let sentence: String
    /// The same for a place that says itself whether the books balance.
    let remark: String
    /// What was counted and not read, and of which bytes its share is.
    let unread: (bytes: Int, whole: Int, noun: String)
    /// What is behind it, each a whole sentence, what weighs most first.
    let reasons: [String]

    init(_ result: AuditResult) {
        let facts = Facts(result)
        let losses = facts.losses
        unread = (facts.loss.unreadBytes, facts.loss.wholeBytes, facts.unreadNoun)
        isEmpty = result.ledger.layers.internet == 0
        reasons = losses.map(\.reason) + facts.unread + facts.doubts
        grade = result.ledger.balanced ? facts.loss.trust : nil
        isWithoutDoubt = grade == .whole && !isEmpty && facts.doubts.isEmpty && losses.isEmpty
        if !result.ledger.balanced {
            remark = result.ledger.contradictions.joined(separator: "; ")
            sentence =
                "The books do not balance, which is a defect of wireaudit: do not rely on these figures. " + remark
                + "."
        } else if let worst = losses.first {
            remark = "\(worst.clause): \(worst.effect)" + facts.unreadClause
            sentence = "Books balance; \(remark)."
        } else if facts.loss.unreadBytes > 0 {
            remark =
                "nothing is known to be missing; \(facts.unreadShare) could not be read: they are counted, their calls are not"
            sentence = "Books balance and \(remark)."
        } else if isEmpty {
            remark = facts.emptiness
            sentence = "Books balance: \(remark)."
        } else {
            guard facts.doubts.isEmpty else {
                remark =
                    "nothing is known to be missing, but not all could be understood: \(facts.doubts[0].withoutPeriod)"
                sentence = "Books balance: every captured byte is counted once; \(remark)."
                return
            }
            remark = "nothing is known to be missing or was left unread"
            sentence = "Books balance: every captured byte is counted once, and \(remark)."
        }
    }
}

/// What is missing, in clauses and sentences.
private struct Facts {
    let result: AuditResult
    let loss: CaptureLoss
    let packets: Int

    /// Something that is missing: a clause for the verdict, what it makes of the figures, and the whole sentence.
    struct Loss {
        var clause: String
        var effect = "figures are lower bounds"
        var reason: String
    }

    init(_ result: AuditResult) {
        self.result = result
        loss = CaptureLoss(result)
        packets = result.files.reduce(0) { $0 &+ $1.packets }
    }

    /// Why there is no IP.
    var emptiness: String {
        guard packets == 0 else { return "the capture has no IP packet" }
        return result.files.contains { $0.filtered > 0 } ? "no packet matches the filter" : "the capture has no packets"
    }

    /// What was met that leaves content unknown or contradicts itself, each a sentence. What is missing is told elsewhere.
    var doubts: [String] {
        var told: Set<FindingCode> = [.multipath, .multipathApart]
        if loss.trust == .incomplete { told.formUnion([.captureCut, .captureDamaged, .streamGap]) }
        let unknown: Set<FindingCode> = [.decodeFailed, .decodeLimit, .headerDepth, .streamLimit, .http3StreamLimit]
        let found = result.findings.filter { finding in
            finding.count > 0 && !told.contains(finding.code)
                && (finding.code.severity != .info || unknown.contains(finding.code))
        }
        return found.sorted { ($1.count, $0.code.rawValue) < ($0.count, $1.code.rawValue) }.map { finding in
            let times = finding.count > 1 ? " (\(grouped(finding.count)) times)" : ""
            return finding.code.sentence.withoutPeriod + times + "."
        }
    }

    var losses: [Loss] {
        [dropped, damaged, gaps, snapped, torn, repeated, translated, late, unfinished].compactMap(\.self)
    }

    private var dropped: Loss? {
        guard let dropped = loss.droppedPackets, dropped > 0 else { return nil }
        let share = shareText(dropped, of: packets &+ dropped) ?? "some"
        return Loss(
            clause: "\(share) of the packets are missing",
            reason: "The capturing program lost \(counted(dropped, "packet")); \(grouped(packets)) are in the capture.")
    }

    private var damaged: Loss? {
        let files = result.files.filter { $0.damagedAt != nil }
        guard let first = files.first, let offset = first.damagedAt else { return nil }
        let others = files.count > 1 ? " and \(counted(files.count - 1, "more file"))" : ""
        return Loss(
            clause: "a file ends in the middle or is damaged",
            reason: "\(first.path)\(others) could be read up to byte \(grouped(offset)) only; what follows is in no "
                + "figure.")
    }

    private var gaps: Loss? {
        let count = loss.gaps
        guard count > 0 else { return nil }
        return Loss(
            clause: "bytes of connections are missing at \(counted(count, "place"))",
            reason: "Later packets show that bytes were sent which no captured packet holds "
                + "(\(counted(count, "place"))).")
    }

    private var snapped: Loss? {
        let snapped = loss.cutPackets
        guard snapped > 0 else { return nil }
        let share = shareText(snapped, of: packets) ?? "some"
        return Loss(
            clause: "\(share) of the packets are cut", effect: "sizes are exact, some content is unknown",
            reason: "\(counted(snapped, "packet")) were captured in part. Their lengths count in full.")
    }

    private func count(_ codes: FindingCode...) -> Int {
        result.findings.reduce(0) { $0 &+ (codes.contains($1.code) ? $1.count : 0) }
    }

    private var torn: Loss? {
        let count = count(.multipath, .multipathApart)
        guard count > 0 else { return nil }
        return Loss(
            clause: "data of \(counted(count, "path")) of MPTCP are missing or have no place",
            effect: "the calls of their connections are flagged",
            reason:
                "Of MPTCP not all paths could be put together (\(counted(count, "path"))): the calls of their connections "
                + "may lack bytes.")
    }

    private var unfinished: Loss? {
        let count = result.unfinishedExchanges
        guard count > 0 else { return nil }
        let subject = counted(count, "call")
        return Loss(
            clause: "the end of \(subject) is not in the capture",
            effect: "what followed is in no figure",
            reason: "The capture ended within \(subject): what followed is in no figure.")
    }

    private var repeated: Loss? {
        let count = count(.repeatUnproved)
        guard count > 0 else { return nil }
        return Loss(
            clause: "\(counted(count, "packet")) may be \(count == 1 ? "a copy" : "copies") of earlier ones",
            effect: "they count as sent",
            reason: "\(counted(count, "packet")) may have been captured more than once: nothing proves it.")
    }

    private var translated: Loss? {
        let count = count(.translationUnproved)
        guard count > 0 else { return nil }
        return Loss(
            clause: "\(counted(count, "connection")) may be \(count == 1 ? "a copy" : "copies") with other addresses",
            effect: "both are counted",
            reason: "\(counted(count, "connection")) may have been captured at both sides of an address translation: "
                + "nothing proves it.")
    }

    private var late: Loss? {
        let count = result.lateConnections
        guard count > 0 else { return nil }
        let subject = counted(count, "connection")
        return Loss(
            clause: "\(subject) may have begun before the capture",
            effect: "what \(count == 1 ? "it" : "they") carried before is in no figure",
            reason: "The beginning of \(subject) was not seen: how many bytes were sent before is not known.")
    }

    // MARK: What was not read

    /// Payload of TCP that nobody read.
    var opaque: Int { result.ledger.causes.up[.opaque] &+ result.ledger.causes.down[.opaque] }

    /// Of what the share of unread bytes is: frames without IP are no part of the IP bytes.
    var unreadNoun: String { result.ledger.unreadFrames > 0 ? "bytes of all frames" : "IP bytes" }

    var unreadShare: String {
        "\(shareText(loss.unreadBytes, of: loss.wholeBytes) ?? "some") of the \(unreadNoun)"
    }

    /// The same behind another fact.
    var unreadClause: String { loss.unreadBytes > 0 ? "; \(unreadShare) could not be read" : "" }

    /// Sentences of what was not read, and what to do.
    var unread: [String] {
        var all = [encrypted, plain].compactMap(\.self)
        let other = result.ledger.other
        if other.quic > 0 { all.append("\(sizeText(other.quic)) of QUIC are counted, but not read.") }
        if other.wireGuard > 0 { all.append("\(sizeText(other.wireGuard)) of WireGuard are counted, but not read.") }
        if other.udp > 0 { all.append("\(sizeText(other.udp)) of \(otherUDP) are counted, but not read.") }
        if other.otherIP > 0 {
            all.append(
                "\(sizeText(other.otherIP)) of other IP protocols, and of fragments that are no whole datagram, are counted, "
                    + "but not read.")
        }
        if result.ledger.unreadFrames > 0 {
            all.append(
                "\(sizeText(result.ledger.unreadFrames)) of frames without IP are counted, but not read: they are encrypted or "
                    + "of an unknown type, or their IP header is broken.")
        }
        return all
    }

    /// UDP that has no reader, with the protocols that its bytes prove.
    private var otherUDP: String {
        let names = Set(result.hostRows.filter { $0.datagrams != nil }.flatMap(\.protocolNames))
        let others = names.subtracting(["DNS", "QUIC", "WireGuard", "UDP"])
        return others.isEmpty ? "other UDP" : "other UDP (\(listed(others.sorted(), most: 4)))"
    }

    private var hidden: Int {
        result.apis.reduce(0) { $0 &+ ($1.isEncrypted ? $1.costs.up[.opaque] &+ $1.costs.down[.opaque] : 0) }
    }

    private var encrypted: String? {
        let connections = result.hosts.reduce(0) { $0 &+ $1.setup.unreadConnections }
        guard connections > 0, hidden > 0 else { return nil }
        let subject =
            "\(sizeText(hidden)) in \(counted(connections, "TLS connection")) "
            + "\(connections == 1 ? "was" : "were") not read"
        return result.keyLogs.isEmpty
            ? "\(subject); give --keys FILE to see the calls."
            : "\(subject): the key logs that were given do not have \(connections == 1 ? "its" : "their") keys."
    }

    private var plain: String? {
        let plain = opaque &- hidden
        guard plain > 0 else { return nil }
        return "\(sizeText(plain)) of the payload of connections are no HTTP, or no HTTP that could be read."
    }
}

extension String {
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
