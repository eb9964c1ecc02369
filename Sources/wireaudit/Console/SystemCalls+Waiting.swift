import Platform
import WireRecords

/// Several descriptors to wait for.
package struct PollSet {
    private var entries: [pollfd]

    /// Negative descriptors are places that are never ready.
    package init(_ descriptors: [Int32]) {
        entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until one is ready, a signal comes, or that many milliseconds passed (negative: for ever). How many are
    /// ready.
    package mutating func wait(milliseconds: Int) -> Int {
        for index in entries.indices { entries[index].revents = 0 }
        let time = Int32(clamping: milliseconds)
        let count = unsafe entries.withUnsafeMutableBufferPointer { buffer in
            unsafe poll(buffer.baseAddress, nfds_t(buffer.count), time)
        }
        // What the system says of failures is not to be read.
        if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
        return max(0, Int(count))
    }

    /// There is something to read at this place: data, an end or an error.
    package func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }

    /// Its other end is closed, or it fails: without reading it would be ready for ever.
    package func isBroken(_ index: Int) -> Bool {
        entries[index].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }
}

extension System {
    static func pause(milliseconds: Int) {
        var nothing = PollSet([])
        _ = nothing.wait(milliseconds: milliseconds)
    }

    /// Something to read is there now.
    static func isReadable(_ descriptor: Int32) -> Bool {
        var set = PollSet([descriptor])
        return set.wait(milliseconds: 0) > 0
    }

    /// Something can be written within that time.
    static func isWritable(_ descriptor: Int32, milliseconds: Int) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, Int32(clamping: milliseconds)) > 0
    }

    /// One read: its bytes, and whether nothing more will come.
    static func readAvailable(_ descriptor: Int32, limit: Int) -> (bytes: [UInt8], hasEnded: Bool) {
        var (result, code) = (0, Int32(0))
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            repeat {
                result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                code = errno
            } while result < 0 && code == EINTR
            count = max(0, result)
        }
        return (bytes, result == 0 || (result < 0 && code != EAGAIN))
    }

    /// One write: how many bytes the system took, 0 when it would have to wait, nil when it never will.
    static func writeSome(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Int? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            while true {
                let count = unsafe Platform.write(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno == EAGAIN { return 0 }
                if errno != EINTR { return nil }
            }
        }
    }
}
