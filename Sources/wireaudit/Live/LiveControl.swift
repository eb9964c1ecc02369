import WireRecords
import WireReport

/// What keys do to the state of the screen. It knows no terminal, and does not draw.
package enum LiveControl {
    package enum Effect: Sendable {
        case nothing
        /// The person wants the end.
        case end
        /// All is to be drawn anew.
        case renewal
    }

    private static let filterLimit = 200

    /// - Parameter page: rows that the list shows.
    package static func press(
        _ key: Key, _ state: inout LiveState, page: Int, _ options: ReportOptions
    ) -> Effect {
        if key == .control("c") { return .end }
        if key == .control("l") { return .renewal }
        if state.isEditingFilter {
            edit(key, &state)
        } else if key == .character("q") {
            return .end
        } else if state.showsHelp {
            leaveHelp(key, &state)
        } else if let distance = distance(key, page: page) {
            state.place.selection = LiveRows(state, options).selection(distance, from: state.place.selection)
        } else {
            act(key, &state, options)
        }
        return .nothing
    }

    private static func leaveHelp(_ key: Key, _ state: inout LiveState) {
        switch key {
        case .character("?"), .character("h"), .escape, .enter: state.showsHelp = false
        case .character("p"), .character(" "): state.isFrozen.toggle()
        default: break
        }
    }

    /// Rows that the key moves the selection by.
    private static func distance(_ key: Key, page: Int) -> Int? {
        switch key {
        case .up, .character("k"), .control("p"): -1
        case .down, .character("j"), .control("n"): 1
        case .pageUp, .control("b"): -max(page, 1)
        case .pageDown, .control("f"): max(page, 1)
        case .home, .character("g"): -.max
        case .end, .character("G"): .max
        default: nil
        }
    }

    private static func act(_ key: Key, _ state: inout LiveState, _ options: ReportOptions) {
        switch key {
        case .enter, .right, .character("l"): open(&state, options)
        case .escape, .left, .backspace: goBack(&state)
        case .tab: state.place.show(state.place.table.advanced(by: 1))
        case .backTab: state.place.show(state.place.table.advanced(by: -1))
        case .character("1"): state.place.show(.apis)
        case .character("2"): state.place.show(.hosts)
        case .character("3"): state.place.show(.connections)
        case .character("s") where state.place.canSort: state.place.order.sort = state.place.nextSort
        case .character("r") where state.place.canSort: state.place.order.isReversed.toggle()
        case .character("p"), .character(" "): state.isFrozen.toggle()
        case .character("/"): state.isEditingFilter = true
        case .character("?"), .character("h"): state.showsHelp = true
        default: break
        }
    }

    /// Opens the selected row, or the first where none is selected. A call leads to its connection, and from there to its
    /// API.
    private static func open(_ state: inout LiveState, _ options: ReportOptions) {
        let rows = LiveRows(state, options)
        let selection = rows.settled(state.place.selection) ?? rows.selection(0, from: nil)
        guard let selection else { return }
        state.place.selection = selection
        guard case .call(let connection, let exchange) = selection.item else {
            return state.place.open(selection.item)
        }
        guard case .connection? = state.place.item else { return state.place.open(.connection(connection)) }
        let calls = state.finished + state.snapshot.recent
        if let call = calls.first(where: { ($0.connection, $0.exchange) == (connection, exchange) }) {
            state.place.open(.api(call.apiName))
        }
    }

    /// One step: out of what is open, else the filter, else the selection.
    private static func goBack(_ state: inout LiveState) {
        if state.place.close() { return }
        if state.filterText.isEmpty { state.place.selection = nil } else { state.filterText = "" }
    }

    private static func edit(_ key: Key, _ state: inout LiveState) {
        switch key {
        case .character(let character):
            if state.filterText.count < filterLimit { state.filterText.append(character) }
        case .backspace: _ = state.filterText.popLast()
        case .control("u"): state.filterText = ""
        case .enter: state.isEditingFilter = false
        case .escape:
            state.filterText = ""
            state.isEditingFilter = false
        default: break
        }
    }
}
