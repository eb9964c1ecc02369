import CPcap
import WireCore
import WireNative

/// A filter expression in the language of libpcap, compiled once for each link type that appears.
@safe
final class CaptureFilter {
    /// libpcap's compiler is not safe to run twice at one time in every version that is in use.
    private static let compiling = Guarded(())
    private static let snapshotLength: Int32 = 262_144

    private let expression: String
    private var programs: [(linkType: LinkType, program: UnsafeMutablePointer<bpf_program>)] = unsafe []
    /// Index of the program used last: link types seldom change from frame to frame.
    private var current = 0

    init(_ expression: String) {
        self.expression = expression
    }

    deinit {
        for index in unsafe programs.indices {
            unsafe pcap_freecode(programs[index].program)
            unsafe programs[index].program.deallocate()
        }
    }

    /// Whether the filter lets a frame pass, by its captured bytes.
    func passes(_ frame: CaptureFrame, _ bytes: RawSpan) throws(CaptureError) -> Bool {
        try prepare(for: frame.linkType)
        var header = pcap_pkthdr()
        header.caplen = UInt32(clamping: frame.capturedLength)
        header.len = UInt32(clamping: frame.originalLength)
        let program = unsafe programs[current].program
        return unsafe bytes.withUnsafeBytes { packet in
            // libpcap wants an address even for a frame without bytes.
            guard let start = packet.baseAddress else { return false }
            return unsafe pcap_offline_filter(program, &header, start.assumingMemoryBound(to: UInt8.self)) != 0
        }
    }

    /// Makes the program for a link type the current one; compiles it when it is the first frame of that type.
    func prepare(for linkType: LinkType) throws(CaptureError) {
        if unsafe current < programs.count && programs[current].linkType == linkType { return }
        if let index = unsafe programs.firstIndex(where: { unsafe $0.linkType == linkType }) {
            current = index
            return
        }
        let program = UnsafeMutablePointer<bpf_program>.allocate(capacity: 1)
        unsafe program.initialize(to: bpf_program())
        if let reason = unsafe compile(for: linkType, into: program) {
            unsafe program.deallocate()
            throw .filter(expression: expression, reason: "for frames of type \(linkType.name): \(reason)")
        }
        unsafe programs.append((linkType, program))
        current = unsafe programs.count - 1
    }

    /// What libpcap says when it cannot compile the expression; nil when it did.
    private func compile(for linkType: LinkType, into program: UnsafeMutablePointer<bpf_program>) -> String? {
        Self.compiling.withLock { _ in
            guard let handle = unsafe pcap_open_dead(linkType.dataLink, Self.snapshotLength) else {
                return "libpcap is out of memory"
            }
            defer { unsafe pcap_close(handle) }
            let status = unsafe pcap_compile(handle, program, expression, 1, bpf_u_int32.max)
            return status == 0 ? nil : unsafe String(cString: pcap_geterr(handle))
        }
    }
}
