import CPcap
import WireCore

/// An interface from which frames come.
@safe
final class PcapSource: LiveSource {
    /// What one call of libpcap is given to deliver frames to.
    private struct Delivery {
        var body: (Int64, Int, RawSpan) -> Void
        /// Nanoseconds in a unit of the stamps' second part.
        var unit: Int64
    }

    /// Milliseconds between looks at an interface that cannot be polled.
    private static let unpolledWait = 10
    /// The library asks for looks at shorter intervals while an interface is down; nothing comes from it then.
    private static let shortestWait = 10

    let summary: CaptureInterfaceSummary
    private var opened: PcapHandle?
    private let unit: Int64

    /// - Parameter handle: with filter and link type set.
    init(_ handle: PcapHandle, description: String?) throws(PcapProblem) {
        try handle.setNonBlocking()
        summary = CaptureInterfaceSummary(
            name: handle.name, description: description, linkType: handle.linkType,
            snapshotLength: handle.snapshotLength)
        unit = handle.hasNanoseconds ? 1 : 1000
        opened = handle
    }

    var descriptor: Int32? {
        guard let opened else { return nil }
        let descriptor = unsafe pcap_get_selectable_fd(opened.handle)
        return descriptor >= 0 ? descriptor : nil
    }

    var longestWait: Int? {
        guard let opened else { return nil }
        if let required = unsafe pcap_get_required_select_timeout(opened.handle) {
            let time = unsafe required.pointee
            return max(Self.shortestWait, Int(time.tv_sec) &* 1000 &+ Int(time.tv_usec) / 1000)
        }
        return descriptor == nil ? Self.unpolledWait : nil
    }

    func dispatch(limit: Int, _ body: (Int64, Int, RawSpan) -> Void) -> String? {
        guard let opened, limit > 0 else { return nil }
        return withoutActuallyEscaping(body) { body in
            var delivery = Delivery(body: body, unit: unit)
            let count = unsafe withUnsafeMutablePointer(to: &delivery) { delivery in
                unsafe delivery.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout<Delivery>.size) { user in
                    unsafe pcap_dispatch(opened.handle, Int32(clamping: limit), Self.deliver, user)
                }
            }
            // Nothing breaks its loop, so what is negative is an error.
            guard count < 0, !opened.wasRenamed else { return nil }
            return unsafe String(cString: pcap_geterr(opened.handle))
        }
    }

    private static let deliver: pcap_handler = { user, header, bytes in
        guard let user = unsafe user, let header = unsafe header, let bytes = unsafe bytes else { return }
        let delivery = unsafe UnsafeRawPointer(user).assumingMemoryBound(to: Delivery.self)
        let captured = unsafe Int(header.pointee.caplen)
        let frame = unsafe UnsafeRawBufferPointer(start: bytes, count: captured)
        let seconds = unsafe Int64(header.pointee.ts.tv_sec) &* 1_000_000_000
        let time = unsafe seconds &+ Int64(header.pointee.ts.tv_usec) &* delivery.pointee.unit
        unsafe delivery.pointee.body(time, Int(header.pointee.len), frame.bytes)
    }

    func statistics() -> LiveStatistics? {
        guard let opened else { return nil }
        var counts = pcap_stat()
        guard unsafe pcap_stats(opened.handle, &counts) == 0 else { return nil }
        // On all interfaces of Linux the loopback's frames come twice, are counted twice, and handed out once.
        return LiveStatistics(
            received: summary.name == PcapHandle.anyInterface ? nil : counts.ps_recv,
            droppedByKernel: counts.ps_drop, droppedByInterface: counts.ps_ifdrop)
    }

    func close() {
        opened = nil
    }
}
