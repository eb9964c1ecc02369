import CPcap
import WireCore

extension PcapSource {
    /// Opens an interface as the options say, ready to deliver.
    /// - Parameters:
    ///   - listed: the system's interfaces, as far as it tells them.
    ///   - notes: gets what libpcap warns of.
    static func open(
        _ name: String, _ options: LiveOptions, listed: [InterfaceInfo], notes: inout [String]
    ) throws(LiveError) -> PcapSource {
        do throws(PcapProblem) {
            let handle = try PcapHandle(
                name,
                PcapHandle.Settings(
                    snapshotLength: options.snapshotLength, bufferSize: options.bufferSize,
                    deliversImmediately: options.deliversImmediately, isPromiscuous: options.isPromiscuous))
            if let warning = handle.warning { notes.append("\(name): \(warning)") }
            handle.chooseLinkType()
            if let expression = options.filter, let reason = handle.setFilter(expression) {
                throw PcapProblem(code: filterProblem, reason: reason)
            }
            return try PcapSource(handle, description: listed.first { $0.name == name }?.description)
        } catch {
            throw liveError(error, interface: name, options, known: listed.map(\.name))
        }
    }

    /// None of libpcap's codes.
    static let filterProblem: Int32 = 1 << 20

    /// What libpcap's refusal means to the user.
    static func liveError(
        _ problem: PcapProblem, interface: String, _ options: LiveOptions, known: [String]
    ) -> LiveError {
        switch problem.code {
        case filterProblem:
            return .filter(expression: options.filter ?? "", reason: problem.reason)
        case PCAP_ERROR_NO_SUCH_DEVICE:
            return .noInterface(name: interface, known: known)
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
            // The system looks at the right before the name: a wrong name is the first thing to mend.
            guard known.isEmpty || known.contains(interface) || InterfaceList.isNetworkInterface(interface) else {
                return .noInterface(name: interface, known: known)
            }
            return .noPermission(interface: interface, reason: problem.reason, remedy: CapturePermission.remedy)
        case PCAP_ERROR_IFACE_NOT_UP:
            return .notUp(interface: interface)
        default:
            return .cannotCapture(interface: interface, reason: problem.reason)
        }
    }
}
