import Synchronization

/// A value that one thread at a time uses.
///
/// It is a `Mutex`, with a mark beside it that whoever has the lock reads first and writes last. ThreadSanitizer needs the
/// mark: where a thread has to wait, `Mutex` gets the lock inside the system's libraries, which the sanitizer does not see,
/// and what follows would look like a race. Two moves of a byte are all that it costs.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let mark = Atomic<Bool>(false)

    @inlinable
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = mark.load(ordering: .acquiring)
            defer { mark.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
