import CPcap
import Platform
import WireCore

/// The system's list of interfaces, as libpcap gives it.
enum InterfaceList {
    /// Network interfaces, and the one that stands for all. What else libpcap can capture on (buses, log targets) is no
    /// network, and opening it for a look could disturb others.
    static func read() throws(LiveError) -> [InterfaceInfo] {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        var first: UnsafeMutablePointer<pcap_if_t>?
        guard unsafe pcap_findalldevs(&first, &message) == 0 else {
            throw .cannotCapture(interface: "any interface", reason: PcapHandle.text(message))
        }
        defer { unsafe pcap_freealldevs(first) }
        var list: [InterfaceInfo] = []
        var next = unsafe first
        while let device = unsafe next {
            let info = unsafe self.info(device.pointee)
            if info.name == PcapHandle.anyInterface || isNetworkInterface(info.name) { list.append(info) }
            unsafe next = device.pointee.next
        }
        return list
    }

    static func isNetworkInterface(_ name: String) -> Bool { unsafe if_nametoindex(name) != 0 }

    private static func info(_ device: pcap_if_t) -> InterfaceInfo {
        var info = unsafe InterfaceInfo(name: String(cString: device.name))
        if let description = unsafe device.description { info.description = unsafe String(cString: description) }
        let flags = unsafe device.flags
        info.isUp = flags & UInt32(PCAP_IF_UP) != 0
        info.isRunning = flags & UInt32(PCAP_IF_RUNNING) != 0
        info.isLoopback = flags & UInt32(PCAP_IF_LOOPBACK) != 0
        info.isWireless = flags & UInt32(PCAP_IF_WIRELESS) != 0
        switch flags & UInt32(PCAP_IF_CONNECTION_STATUS) {
        case UInt32(PCAP_IF_CONNECTION_STATUS_CONNECTED): info.isConnected = true
        case UInt32(PCAP_IF_CONNECTION_STATUS_DISCONNECTED): info.isConnected = false
        default: info.isConnected = nil
        }
        var next = unsafe device.addresses
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.addr.flatMap({ unsafe self.address($0) }) {
                info.addresses.append(address.description)
            }
            unsafe next = entry.pointee.next
        }
        return info
    }

    /// The IP address in a socket address; nil where it is of another family.
    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
        let start = UnsafeRawPointer(pointer)
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let address = unsafe start.loadUnaligned(as: sockaddr_in.self)
            return IPAddress(version4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = unsafe start.loadUnaligned(as: sockaddr_in6.self)
            return unsafe withUnsafeBytes(of: address.sin6_addr) { bytes in
                unsafe IPAddress(high: bytes.bytes.be64(0), low: bytes.bytes.be64(8), isVersion6: true)
            }
        default:
            return nil
        }
    }
}

extension PcapHandle {
    /// Opens an interface for a moment to learn its link types, and whether this user may.
    static func examine(_ info: inout InterfaceInfo) {
        do throws(PcapProblem) {
            let handle = try PcapHandle(info.name, Settings(snapshotLength: 64, bufferSize: 64 << 10))
            handle.chooseLinkType()
            info.linkTypes = handle.linkTypes
            info.mayCapture = true
        } catch {
            info.mayCapture = error.code == PCAP_ERROR_IFACE_NOT_UP
            info.problem = error.reason
        }
    }
}
