import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes the calls of a plan, each at its time, and waits until all have ended.
final class Driver: Sendable {
    private struct State {
        var outcomes: [String: Int] = [:]
    }

    /// Behind so many seconds a session is given up; no call of a plan takes as long.
    private static let patience = 30.0

    private let plan: Plan
    /// Every call has a session of its own. The list of a session's tasks in FoundationNetworking has no lock, and a
    /// protocol reports from its own queue: it may read the list while the session adds the next call to it.
    private let configuration: URLSessionConfiguration
    private let state = Mutex(State())
    private let running = DispatchGroup()

    init(_ plan: Plan) {
        self.plan = plan
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [MonitorProtocol.self]
        configuration.urlCache = nil
        self.configuration = configuration
    }

    /// Calls that ended, by how.
    var outcomes: String {
        state.withLock { $0.outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
    }

    func run() {
        let start = Date()
        for pause in plan.pauses {
            DispatchQueue.global().asyncAfter(deadline: .now() + pause.start) { MonitorProtocol.pause(pause.length) }
        }
        for call in plan.calls {
            let wait = call.start - Date().timeIntervalSince(start)
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
            make(call)
        }
        if running.wait(timeout: .now() + Driver.patience) == .timedOut { note("unfinished") }
        // The monitors learn of an end after the app.
        Thread.sleep(forTimeInterval: 0.5)
    }

    private func make(_ call: PlannedCall) {
        guard let request = Driver.request(of: call) else { return note("bad-url") }
        running.enter()
        let task = URLSession(configuration: configuration).dataTask(with: request) { [self] _, response, error in
            note(error.map { "error\(($0 as NSError).code)" } ?? "\((response as? HTTPURLResponse)?.statusCode ?? 0)")
            running.leave()
        }
        task.resume()
        if let delay = call.cancelAfter {
            DispatchQueue.global().asyncAfter(deadline: .now() + delay) { task.cancel() }
        }
    }

    private static func request(of call: PlannedCall) -> URLRequest? {
        guard let url = URL(string: call.url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = call.method
        request.timeoutInterval = call.timeout
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue(call.id, forHTTPHeaderField: callField)
        switch call.body {
        case .none: break
        case .data(let data): request.httpBody = data
        case .stream(let data): request.httpBodyStream = InputStream(data: data)
        }
        return request
    }

    private func note(_ outcome: String) { state.withLock { $0.outcomes[outcome, default: 0] += 1 } }
}
