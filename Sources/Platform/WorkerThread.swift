/// A thread of the system.
@safe
package struct WorkerThread {
    private let handle: pthread_t

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Bytes of a thread's stack.
    private static let stackSize = 1 << 20

    /// Nil where the system gives no thread any more.
    package init?(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, WorkerThread.stackSize)
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var started: pthread_t?
        #else
            var started = pthread_t()
        #endif
        let status = unsafe pthread_create(
            &started, &attributes,
            { context in
                // Darwin declares it with or without an optional, by the compiler's version.
                guard let pointer = unsafe context as UnsafeMutableRawPointer? else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            return nil
        }
        #if canImport(Darwin)
            guard let started = unsafe started else { return nil }
            unsafe handle = started
        #else
            handle = started
        #endif
    }

    /// Waits for its end.
    package func join() {
        #if canImport(Darwin)
            unsafe pthread_join(handle, nil)
        #else
            pthread_join(handle, nil)
        #endif
    }
}
