import Platform

/// A lock with places to wait for news (POSIX mutex and condition variables): one for the thread that reads, one for the
/// others.
@safe
final class ThreadGate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

    enum Place: Int {
        case reader, workers
    }

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        for place in 0..<2 { unsafe pthread_cond_init(conditions + place, nil) }
    }

    deinit {
        for place in 0..<2 { unsafe pthread_cond_destroy(conditions + place) }
        unsafe pthread_mutex_destroy(mutex)
        unsafe conditions.deallocate()
        unsafe mutex.deallocate()
    }

    func lock() { unsafe pthread_mutex_lock(mutex) }
    func unlock() { unsafe pthread_mutex_unlock(mutex) }
    /// Unlocks, waits until somebody signals, locks again.
    func wait(at place: Place) { unsafe pthread_cond_wait(conditions + place.rawValue, mutex) }
    func signal(_ place: Place) { unsafe pthread_cond_signal(conditions + place.rawValue) }
    func signalAll(_ place: Place) { unsafe pthread_cond_broadcast(conditions + place.rawValue) }
}
