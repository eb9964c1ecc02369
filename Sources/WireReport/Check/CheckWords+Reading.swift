import WireAccuracy
import WireComparison
import WireRecords

/// What was not read, how to get it read, and how to do without.
extension CheckWords {
    /// `11.8 % of the bytes were read, 95 % are needed; 335,276 bytes of api.example.com were not decrypted: …`.
    func reading(_ share: ReadShare, _ bound: PolicyRule.Bound) -> String {
        let needed = amount(bound.value, .percent, unlike: nil)
        let percent = share.percent.map { amount($0, .percent, unlike: bound.value) } ?? "0 %"
        let isEnough = (share.percent ?? 0) >= bound.value
        let figure =
            share.unit == .bytes
            ? "\(percent) of the bytes were read"
            : "\(percent) of the rows have a call that was read (\(grouped(share.read)) of \(grouped(share.whole)))"
        guard !isEnough else { return "\(figure), \(needed) are needed" }
        let parts = share.parts.prefix(3).map { part($0, share.unit) }
        let others = share.parts.count > 3 ? ["\(grouped(share.parts.count - 3)) others"] : []
        return "not judged: only \(figure), \(needed) are needed; not read: "
            + (parts + others).joined(separator: ", ") + "; " + remedy(share)
    }

    private func part(_ part: ReadShare.Part, _ unit: ReadShare.Unit) -> String {
        let noun = unit == .bytes ? "byte" : "row"
        let host = part.host.map { " of " + displayText($0) } ?? ""
        return counted(part.amount, noun) + host + " (\(reason(part.reason)))"
    }

    private func reason(_ reason: ReadShare.Reason) -> String {
        switch reason {
        case .undecrypted: "TLS or QUIC not decrypted"
        case .unreadable: "no HTTP that can be read"
        case .hostNotCaptured: "the capture has no readable call of this host"
        case .callNotCaptured: "the capture does not have these calls"
        }
    }

    /// How to get it read, by what most of it is.
    private func remedy(_ share: ReadShare) -> String {
        let advice =
            switch share.parts.first?.reason {
            case .undecrypted?:
                switch share.keys {
                case .none: "decrypt it with --keys FILE"
                case .incomplete: "the key logs lack keys of these connections: record them from the start of the app"
                case .foreign: "none of the keys given fits this capture: give the key log of the same run"
                }
            case .hostNotCaptured?, .callNotCaptured?:
                "capture all traffic of the app for as long as the log runs, and decrypt it"
            case .unreadable?, nil: "keep other traffic out with --filter or --host"
            }
        guard let name = share.parts.first?.host else { return advice }
        return advice + ", or allow it in the policy: read >= 95% except \"\(displayText(name))\""
    }

    func obstructed(_ obstacle: CheckObstacle) -> String {
        switch obstacle {
        case .unread(let share):
            let what = share.unit == .bytes ? "bytes were" : "rows of the log were"
            let percent = share.percent.map { amount($0, .percent, unlike: 100) } ?? "0 %"
            return "not judged: only \(percent) of the \(what) read, which says nothing of all calls"
        case .otherSession(let doubt): return "not judged: \(doubt.words)"
        case .mismatch(let mismatch): return "not judged: \(mismatch.sentence)"
        case .otherConditions(let differences):
            let conditions = displayText(differences.joined(separator: "; "))
            return "not judged: the calibration does not apply; it was fitted \(conditions)"
        }
    }
}
