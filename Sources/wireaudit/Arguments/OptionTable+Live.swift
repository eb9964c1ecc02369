/// Options of the live capture.
extension Option {
    var liveDescription: OptionDescription? {
        switch self {
        case .interface:
            value("IFACE", short: "i", help: "capture on this interface, or on 'any' of them; may be repeated")
        case .write:
            value(
                "FILE", short: "w",
                help: "write the captured packets to FILE (pcapng), with the TLS keys of their connections; - is "
                    + "standard output")
        case .rotate:
            value(
                "SPEC",
                help: "begin a new file after this size or time, and keep this number of files, "
                    + "such as 100MB,1h,10files")
        case .duration: value("TIME", help: "end after that time: 30s, 10min, 1h")
        case .packets: value("N", help: "end after N packets")
        case .exchanges: value("N", help: "end after N finished exchanges; unfinished ones are reported too")
        case .snapshotLength:
            value("N", help: "bytes captured of each packet (default: all)")
        case .buffer:
            value(
                "SIZE", help: "size of the system's buffer for each interface (default 16MiB)")
        case .immediate: flag("receive each packet without delay; takes more processor time")
        case .noPromiscuous: flag("do not use promiscuous mode")
        case .user:
            value(
                "USER", short: "Z",
                help: "as root: switch to this user after opening the interfaces (default: the user who called sudo; "
                    + "'root' stays root)")
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
