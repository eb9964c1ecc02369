import WireCore
import WireRecords

/// What costs most, in the sentence that an audit begins with.
struct AuditVerdict {
    /// A piece of it, for forms that set figures and names off.
    enum Piece {
        case words(String)
        case figure(String)
        case api(String)

        var text: String {
            switch self {
            case .words(let text), .figure(let text), .api(let text): text
            }
        }
    }

    let pieces: [Piece]

    init(_ result: AuditResult, _ options: ReportOptions) {
        let whole = options.whole(result.ledger)
        guard whole > 0 else {
            pieces = [.words("The capture has no IP packet.")]
            return
        }
        guard let first = apiRows(result, options).first else {
            let words =
                options.selection.isEmpty
                ? "No call was read: \(sizeText(whole)) of \(options.wholeNoun) traffic are counted by cause."
                : "No API matches the selection. The ledger covers the whole capture."
            pieces = [.words(words)]
            return
        }
        let wire = options.wire(first.costs)
        let calls = first.callsAreUnknown ? "" : " in \(counted(first.exchanges, "call"))"
        let most = " costs most\(options.selection.isEmpty ? "" : " of the selection"): "
        var pieces: [Piece] = [
            .figure(sizeText(whole)), .words(" of \(options.wholeNoun) traffic. "), .api(first.api), .words(most),
            .figure(sizeText(wire)), .words(", \(portion(wire, of: whole))\(calls)."),
        ]
        // Where more was not read than the largest API has, that is said too.
        let unread = AuditTrust(result).unread
        if unread.bytes > wire, !first.callsAreUnknown {
            let share = portion(unread.bytes, of: unread.whole)
            pieces += [
                .words(" "), .figure(sizeText(unread.bytes)),
                .words(", \(share) of the \(unread.noun), were not read and are in no call."),
            ]
        }
        self.pieces = pieces
    }
}

extension APISummary {
    /// What TLS hides of a host: no call of it was seen, which is not none.
    var callsAreUnknown: Bool { isEncrypted && exchanges == 0 }

    /// Wire bytes of a call, the mean; nil without calls.
    func wirePerCall(_ options: ReportOptions) -> Int? {
        exchanges > 0 ? roundedMean(options.wire(costs), exchanges) : nil
    }
}

/// The nearest whole number, halves up.
func roundedMean(_ total: Int, _ count: Int) -> Int {
    let (whole, rest) = total.quotientAndRemainder(dividingBy: max(count, 1))
    return rest >= count - rest ? whole + 1 : whole
}
