/// Options of the live capture.
extension Option {
    var liveDescription: OptionDescription? {
        switch self {
        case .interface:
            value("IFACE", short: "i", help: "capture on this interface, or on 'any' of them; may be repeated")
        case .write:
            value(
                "FILE", short: "w",
                help: "write the packets as captured to FILE (pcapng), with the keys of connections seen; - is "
                    + "standard output")
        case .rotate:
            value(
                "SPEC",
                help: "go on in a new file after so much, and keep so many: a size, a time, a number of files, "
                    + "such as 100MB,1h,10files")
        case .duration: value("TIME", help: "end after that time: 30s, 10min, 1h")
        case .packets: value("N", help: "end after N packets")
        case .exchanges: value("N", help: "end after N finished exchanges; those in progress are reported too")
        case .snapshotLength:
            value("N", help: "bytes taken of a packet (default: all); with fewer, much stays unknown")
        case .buffer:
            value(
                "SIZE", help: "the system's buffer for each interface (default 16MiB); larger ones bear longer bursts")
        case .immediate: flag("get each packet at once; costs more processor time")
        case .noPromiscuous: flag("leave out packets for other stations")
        case .user:
            value(
                "USER", short: "Z",
                help: "as root: become this user once the interfaces are open (default: who called sudo); root: stay")
        default: nil
        }
    }

    private func value(_ name: String, short: Character? = nil, help: String) -> OptionDescription {
        OptionDescription(value: .text(valueName: name), short: short, commands: [.live], help: help)
    }

    private func flag(_ help: String) -> OptionDescription {
        OptionDescription(value: .none, commands: [.live], help: help)
    }
}
