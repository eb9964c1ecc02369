import Platform

/// Whether interfaces are up, by the system's own list.
enum InterfaceState {
    /// Those of the names that the list has, and that are down. A name that it does not have, such as `any`, is not down.
    static func down(among names: [String]) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [String] = []
        var entry = unsafe list
        while let address = unsafe entry {
            let name = unsafe String(cString: address.pointee.ifa_name)
            let isUp = unsafe address.pointee.ifa_flags & UInt32(truncatingIfNeeded: Int(IFF_UP)) != 0
            if !isUp, names.contains(name), !found.contains(name) { found.append(name) }
            unsafe entry = address.pointee.ifa_next
        }
        return found
    }
}
