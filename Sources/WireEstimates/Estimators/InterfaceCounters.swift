/// Interface counters of the device. Only described: they count the device, not exchanges.
enum InterfaceCounters {
    static let description = EstimatorDescription(
        id: "ifaddrs", aliases: ["getifaddrs"], title: "Interface counters of the device", evidence: .source,
        source: "zixun/GodEye, NetObjc.m and NetworkFlow.swift; many traffic monitors",
        sees: "Every byte of Wi-Fi and cellular interfaces, of all apps, with all layers that the driver counts.",
        cannotSee: "Apps, connections and exchanges. Its 32-bit counters wrap after 4 GiB.",
        counts: "Bytes in and out of the interfaces en0 and pdp_ip0, sampled each second.", isSimulated: false)
}
