import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
    fileprivate let load = Load()

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
        inner.stop(load)
        recorder.end(request)
    }
}

/// What a protocol has under way. Read and changed under the loader's gate only.
private final class Load: @unchecked Sendable {
    var owner: MonitorProtocol?
    var task: URLSessionDataTask?
    var isStopped = false
}

/// Loads for all protocols; one delegate queue, so that a busy SDK notes late.
private final class InnerLoader: NSObject, URLSessionDataDelegate {
    private let loads = Mutex<[Int: Load]>([:])
    private let session = Mutex<URLSession?>(nil)
    /// Held while a protocol's client is called and while one is stopped: behind `stopLoading` the outer loader forgets
    /// the task, and ends the program when it hears of it again.
    private let gate = NSRecursiveLock()
    /// All sessions of FoundationNetworking share one queue, on which protocols start and stop: a session that is used
    /// there waits for itself for ever.
    private let queue = DispatchQueue(label: "sdklab.loader")

    func load(_ owner: MonitorProtocol) {
        let load = owner.load
        gate.withLock { load.owner = owner }
        let request = owner.request
        queue.async { [self] in
            let task = innerSession.dataTask(with: request)
            loads.withLock { $0[task.taskIdentifier] = load }
            gate.withLock { load.task = task }
            task.resume()
        }
    }

    func stop(_ load: Load) {
        gate.withLock {
            load.isStopped = true
            load.owner = nil
        }
        queue.async { [self] in gate.withLock { load.task }?.cancel() }
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

    /// Tells the protocol of a task, unless it was stopped.
    private func tell(_ task: URLSessionTask, _ body: (MonitorProtocol) -> Void) {
        guard let load = loads.withLock({ $0[task.taskIdentifier] }) else { return }
        gate.withLock { if let owner = load.owner, !load.isStopped { body(owner) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        tell(task) { recorder.redirect($0.request, response, to: request) }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        tell(dataTask) {
            recorder.receive($0.request, response)
            $0.client?.urlProtocol($0, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        tell(dataTask) {
            recorder.receive($0.request, data)
            $0.client?.urlProtocol($0, didLoad: data)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        tell(task) {
            recorder.end($0.request)
            if let error {
                $0.client?.urlProtocol($0, didFailWithError: error)
            } else {
                $0.client?.urlProtocolDidFinishLoading($0)
            }
        }
        _ = loads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }
}
