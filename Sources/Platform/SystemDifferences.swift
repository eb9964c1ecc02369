// Fields and functions that the C libraries declare differently.

extension sigaction {
    /// The function that is called with the signal's number; or SIG_DFL, SIG_IGN.
    package var handler: (@convention(c) (Int32) -> Void)? {
        get {
            #if canImport(Darwin)
                unsafe __sigaction_u.__sa_handler
            #elseif canImport(Glibc)
                unsafe __sigaction_handler.sa_handler
            #else
                unsafe __sa_handler.sa_handler
            #endif
        }
        set {
            #if canImport(Darwin)
                unsafe __sigaction_u.__sa_handler = newValue
            #elseif canImport(Glibc)
                unsafe __sigaction_handler.sa_handler = newValue
            #else
                unsafe __sa_handler.sa_handler = newValue
            #endif
        }
    }
}

extension stat {
    /// When the file's content changed last.
    package var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}

/// Gives this process the groups that the system lists for a user, and `group`. 0, or -1 with the reason in `errno`.
package func setGroups(ofUser name: String, and group: gid_t) -> Int32 {
    #if canImport(Darwin)
        unsafe initgroups(name, Int32(bitPattern: group))
    #else
        unsafe initgroups(name, group)
    #endif
}

/// Path of the program that this process runs; nil where the system does not tell.
package func executablePath() -> String? {
    let path = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
            #if canImport(Darwin)
                unsafe Int(proc_pidpath(getpid(), buffer.baseAddress, UInt32(buffer.count)))
            #else
                unsafe max(0, readlink("/proc/self/exe", buffer.baseAddress!, buffer.count))
            #endif
        }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
}

/// The command that gives the right to capture: to a program, its path quoted for the shell, or to the user who types it
/// where programs have no rights of their own.
package func captureGrantCommand(program: String) -> String {
    #if canImport(Darwin)
        // Until the system starts again; Wireshark's ChmodBPF repeats it at each start.
        return "sudo chown \"$USER\" /dev/bpf*"
    #else
        // The superuser lacks it only where it was taken away, as in a container.
        if geteuid() == 0 { return "in a container: docker run --cap-add NET_RAW --cap-add NET_ADMIN …" }
        return "sudo setcap cap_net_raw,cap_net_admin+eip \(program)"
    #endif
}

/// The command that starts a network interface which is down.
package func interfaceStartCommand(_ interface: String) -> String {
    #if canImport(Darwin)
        "sudo ifconfig \(interface) up"
    #else
        "sudo ip link set \(interface) up"
    #endif
}

/// What `posix_spawn` does with descriptors, and what the new process has otherwise: on Darwin pointers that the library fills
/// in, elsewhere structures.
#if canImport(Darwin)
    package typealias SpawnFileActions = posix_spawn_file_actions_t?
    package typealias SpawnAttributes = posix_spawnattr_t?
#else
    package typealias SpawnFileActions = posix_spawn_file_actions_t
    package typealias SpawnAttributes = posix_spawnattr_t
#endif
