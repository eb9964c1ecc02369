import Foundation
import FoundationNetworking
import Synchronization

/// The header that carries a call's id over the wire.
let callField = "X-Call-Id"
let recorder = Recorder()
private let inner = InnerLoader()

/// The hook of the monitoring SDKs: takes every request of the app's session, loads it through a session of its own, and
/// notes what it sees at the places where such SDKs do: a request when it is about to be sent, that is before the name
/// is looked up and a connection stands; a response when loading stops, after a failure and a cancellation too.
///
/// The outer loader of FoundationNetworking takes no redirection from a protocol (`wasRedirectedTo` is not there), so
/// the inner session follows them, as with SDKs that do not forward that callback.
final class MonitorProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canInit(with task: URLSessionTask) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Keeps the queue busy on which responses are heard of, for so many seconds.
    static func pause(_ length: Double) { inner.pause(length) }

    override func startLoading() {
        recorder.begin(request)
        inner.load(self)
    }

    override func stopLoading() {
        inner.stop(self)
        recorder.end(request)
    }
}

/// Loads for all protocols; one delegate queue, so that a busy SDK notes late.
private final class InnerLoader: NSObject, URLSessionDataDelegate {
    /// A protocol's client may be called from any thread, but the class is declared as not `Sendable`.
    private struct Load: @unchecked Sendable {
        var owner: MonitorProtocol
        var task: URLSessionDataTask?
    }

    /// All sessions of FoundationNetworking share one queue, on which protocols start and stop: a session that is used
    /// there waits for itself for ever.
    private let queue = DispatchQueue(label: "sdklab.loader")

    private let loads = Mutex<[Int: Load]>([:])
    private let session = Mutex<URLSession?>(nil)

    func load(_ owner: MonitorProtocol) {
        let load = Load(owner: owner)
        queue.async { [self] in
            let task = innerSession.dataTask(with: load.owner.request)
            loads.withLock { $0[task.taskIdentifier] = Load(owner: load.owner, task: task) }
            task.resume()
        }
    }

    func stop(_ owner: MonitorProtocol) {
        let load = Load(owner: owner)
        queue.async { [self] in
            let running = loads.withLock { $0.values }
            guard let task = running.first(where: { $0.owner === load.owner })?.task else { return }
            _ = loads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            task.cancel()
        }
    }

    func pause(_ length: Double) {
        innerSession.delegateQueue.addOperation { Thread.sleep(forTimeInterval: length) }
    }

    private var innerSession: URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.default
            configuration.urlCache = nil
            configuration.httpMaximumConnectionsPerHost = 4
            let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            session = made
            return made
        }
    }

    private func owner(_ task: URLSessionTask) -> MonitorProtocol? {
        loads.withLock { $0[task.taskIdentifier] }?.owner
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        if let owner = owner(task) { recorder.redirect(owner.request, response, to: request) }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let owner = owner(dataTask) {
            recorder.receive(owner.request, response)
            owner.client?.urlProtocol(owner, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let owner = owner(dataTask) else { return }
        recorder.receive(owner.request, data)
        owner.client?.urlProtocol(owner, didLoad: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let owner = loads.withLock({ $0.removeValue(forKey: task.taskIdentifier) })?.owner else { return }
        if let error {
            owner.client?.urlProtocol(owner, didFailWithError: error)
        } else {
            owner.client?.urlProtocolDidFinishLoading(owner)
        }
        // Where the outer loader does not call `stopLoading` behind an end, this is the end.
        recorder.end(owner.request)
    }
}
