import WireCore
import WireRecords

/// What a person must know before he believes the numbers, in the order of its weight: each as sentences of falling
/// length, of which the longest that fits is shown.
struct LiveAlerts {
    let state: LiveState
    let style: TerminalStyle

    func lines(limit: Int) -> [String] {
        let all = losses + faults + notes
        return all.prefix(max(limit, 0)).map { sentences in
            let fitting = sentences.first { displayWidth($0) + 2 <= style.width } ?? sentences.last ?? ""
            return style.paint("! " + shortened(fitting, to: style.width - 2, ellipsis: style.ellipsis), .warning)
        }
    }

    private var losses: [[String]] {
        let kernel = state.interfaces.reduce(0) { $0 + $1.droppedByKernel }
        let device = state.interfaces.reduce(0) { $0 + $1.droppedByInterface }
        let lost = kernel + device
        guard lost > 0 else { return [] }
        let packets = counted(lost, "packet") + " lost"
        let share = percent(lost, of: lost + state.snapshot.packets).map { " (\(style.plain($0)))" } ?? ""
        let remedy = kernel > 0 ? "; a larger --buffer or a narrower --filter loses fewer" : ""
        var places: [String] = []
        if kernel > 0 { places.append("\(grouped(kernel)) by the kernel") }
        if device > 0 { places.append("\(grouped(device)) by the interface") }
        let place = packets + share + ": " + places.joined(separator: ", ")
        let meaning = place + "; they are not counted"
        return [[meaning + remedy, meaning, place, packets + share, packets, "\(grouped(lost)) lost"]]
    }

    private var faults: [[String]] {
        var all: [[String]] = []
        if let fault = state.evidence?.fault {
            let text = style.safe(fault)
            all.append([text + "; capture and audit continue", text])
        }
        for interface in state.interfaces {
            guard let fault = interface.fault else { continue }
            let text = "\(style.safe(interface.name)): \(style.safe(fault))"
            all.append([text + "; no more packets come from it", text])
        }
        return all
    }

    private var notes: [[String]] {
        var all = state.limits.filter(\.isNear).map { limit in
            let name = style.safe(limit.name)
            return ["\(name): \(grouped(limit.used)) of at most \(grouped(limit.limit))", "\(name) near limit"]
        }
        if let note = state.note { all.append([style.safe(note)]) }
        return all
    }
}
