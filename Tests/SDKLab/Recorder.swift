import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request with its response, as the hook saw them. A redirected call has several.
struct Leg: Sendable {
    var request: RequestFacts
    var requestTime: Int64
    /// Nil: none was seen.
    var response: ResponseFacts?
    /// Nanoseconds since the epoch; nil while it loads.
    var responseTime: Int64?
}

/// A call as the hook saw it, with one leg at least.
struct RecordedCall: Sendable {
    var id: String
    var legs: [Leg]
    var received = Data()
}

/// What the hook saw, of all calls.
final class Recorder: Sendable {
    private struct State {
        var calls: [String: RecordedCall] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// The request is about to be sent.
    func begin(_ request: URLRequest) {
        let leg = Leg(request: RequestFacts(request), requestTime: Recorder.now)
        guard let id = leg.request.call else { return }
        state.withLock {
            $0.calls[id] = RecordedCall(id: id, legs: [leg])
            $0.order.append(id)
        }
    }

    /// A redirection came; the loader follows it.
    func redirect(_ original: URLRequest, _ response: HTTPURLResponse, to next: URLRequest) {
        let time = Recorder.now
        change(original) { call in
            call.legs[call.legs.count - 1].response = ResponseFacts(response, body: Data())
            call.legs[call.legs.count - 1].responseTime = time
            call.legs.append(Leg(request: RequestFacts(next), requestTime: time))
        }
    }

    func receive(_ original: URLRequest, _ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        change(original) { $0.legs[$0.legs.count - 1].response = ResponseFacts(response, body: Data()) }
    }

    func receive(_ original: URLRequest, _ data: Data) { change(original) { $0.received.append(data) } }

    /// Loading has stopped. Further calls change nothing.
    func end(_ original: URLRequest) {
        let time = Recorder.now
        change(original) { call in
            let last = call.legs.count - 1
            guard call.legs[last].responseTime == nil else { return }
            call.legs[last].responseTime = time
            call.legs[last].response?.setBody(call.received)
        }
    }

    /// All calls that have ended, by their beginning.
    func finishedCalls() -> [RecordedCall] {
        state.withLock { state in
            state.order.compactMap { state.calls[$0] }.filter { $0.legs.allSatisfy { $0.responseTime != nil } }
        }
    }

    private func change(_ original: URLRequest, _ body: (inout RecordedCall) -> Void) {
        guard let id = original.value(forHTTPHeaderField: callField) else { return }
        state.withLock { state in
            guard var call = state.calls.removeValue(forKey: id) else { return }
            body(&call)
            state.calls[id] = call
        }
    }

    private static var now: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
