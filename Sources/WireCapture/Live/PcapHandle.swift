import CPcap
import Platform
import WireCore

/// What libpcap says when it refuses.
struct PcapProblem: Error, Equatable {
    /// One of `PCAP_ERROR…`.
    var code: Int32
    var reason: String
}

/// An interface opened with libpcap.
@safe
final class PcapHandle {
    struct Settings {
        var snapshotLength: Int
        var bufferSize: Int
        var deliversImmediately = false
        var isPromiscuous = false
    }

    /// The system hands over a part of its buffer when it is full, or after this many milliseconds.
    static let timeout: Int32 = 50
    /// The same where frames are wanted at once.
    private static let shortTimeout: Int32 = 5
    /// The pseudo-device that stands for all interfaces.
    static let anyInterface = "any"

    let name: String
    /// What libpcap warns of.
    private(set) var warning: String?
    let handle: OpaquePointer
    /// The system's number for the interface; 0 where it has none.
    private let index: UInt32

    init(_ name: String, _ settings: Settings) throws(PcapProblem) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = unsafe pcap_create(name, &message) else {
            throw PcapProblem(code: PCAP_ERROR, reason: Self.text(message))
        }
        self.name = name
        index = unsafe if_nametoindex(name)
        unsafe self.handle = handle
        unsafe pcap_set_snaplen(handle, Int32(clamping: settings.snapshotLength))
        unsafe pcap_set_buffer_size(handle, Int32(clamping: settings.bufferSize))
        setDelivery(isImmediate: settings.deliversImmediately)
        // All interfaces at once cannot be promiscuous; asking for it brings a warning each time.
        unsafe pcap_set_promisc(handle, settings.isPromiscuous && name != Self.anyInterface ? 1 : 0)
        // Where there are no nanoseconds, microseconds stay.
        unsafe pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
        let status = unsafe pcap_activate(handle)
        guard status >= 0 else { throw problem(status) }
        if status > 0 { warning = problem(status).reason }
        ignoreSecondCopies()
    }

    deinit {
        unsafe pcap_close(handle)
    }

    private func setDelivery(isImmediate: Bool) {
        unsafe pcap_set_timeout(handle, isImmediate ? Self.shortTimeout : Self.timeout)
        // Not on Linux: what it does for this has room for some hundred frames only, and loses them under any load.
        #if canImport(Darwin)
            unsafe pcap_set_immediate_mode(handle, isImmediate ? 1 : 0)
        #endif
    }

    /// What libpcap says of a status.
    private func problem(_ status: Int32) -> PcapProblem {
        let own = unsafe String(cString: pcap_geterr(handle))
        return PcapProblem(
            code: status, reason: own.isEmpty ? unsafe String(cString: pcap_statustostr(status)) : own)
    }

    /// Linux shows each frame of the loopback interface twice, as sent and as received; libpcap passes over the sent
    /// one. Told not to show it, the system has half the work, twice the room in its buffer, and counts right.
    private func ignoreSecondCopies() {
        #if !canImport(Darwin)
            guard name == "lo" else { return }
            // SOL_PACKET and PACKET_IGNORE_OUTGOING of <linux/if_packet.h>. Older systems refuse: nothing is lost then.
            var isOn: Int32 = 1
            _ = unsafe setsockopt(pcap_fileno(handle), 263, 23, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Link types it can deliver, the present one first.
    var linkTypes: [LinkType] {
        let present = unsafe pcap_datalink(handle)
        var list: UnsafeMutablePointer<Int32>?
        let count = unsafe pcap_list_datalinks(handle, &list)
        guard count > 0, let list = unsafe list else { return [LinkType(dataLink: present)] }
        defer { unsafe pcap_free_datalinks(list) }
        let all = unsafe UnsafeBufferPointer(start: list, count: Int(count)).map { $0 }
        return ([present] + all.filter { $0 != present }).map { LinkType(dataLink: $0) }
    }

    var linkType: LinkType { unsafe LinkType(dataLink: pcap_datalink(handle)) }
    var snapshotLength: Int { unsafe Int(pcap_snapshot(handle)) }
    var hasNanoseconds: Bool { unsafe pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO }

    /// Where all interfaces are captured at once, the newer link type says which one a frame is from.
    func chooseLinkType() {
        guard name == Self.anyInterface, linkTypes.contains(.cooked2) else { return }
        _ = unsafe pcap_set_datalink(handle, DLT_LINUX_SLL2)
    }

    /// What libpcap says when it cannot compile or set the expression; nil when it did.
    func setFilter(_ expression: String) -> String? {
        var network: bpf_u_int32 = 0
        var mask: bpf_u_int32 = 0
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        let isKnown = unsafe pcap_lookupnet(name, &network, &mask, &message) == 0
        var program = unsafe bpf_program()
        let compiled = unsafe pcap_compile(handle, &program, expression, 1, isKnown ? mask : PCAP_NETMASK_UNKNOWN)
        guard compiled == 0 else { return unsafe String(cString: pcap_geterr(handle)) }
        defer { unsafe pcap_freecode(&program) }
        return unsafe pcap_setfilter(handle, &program) == 0 ? nil : String(cString: pcap_geterr(handle))
    }

    /// From now on nothing waits for frames.
    func setNonBlocking() throws(PcapProblem) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard unsafe pcap_setnonblock(handle, 1, &message) == 0 else {
            throw PcapProblem(code: PCAP_ERROR, reason: Self.text(message))
        }
    }

    /// The interface is there under another name. libpcap looks for it by name when it was down, and gives it up; its
    /// frames come nevertheless.
    var wasRenamed: Bool {
        guard index != 0, unsafe if_nametoindex(name) != index else { return false }
        var present = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        return unsafe if_indextoname(index, &present) != nil
    }

    static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
