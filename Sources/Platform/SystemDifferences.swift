// Fields and functions that the C libraries declare differently.

extension sigaction {
    /// The function that is called with the signal's number; or SIG_DFL, SIG_IGN.
    package var handler: (@convention(c) (Int32) -> Void)? {
        get {
            #if canImport(Glibc)
                unsafe __sigaction_handler.sa_handler
            #elseif canImport(Musl)
                unsafe __sa_handler.sa_handler
            #else
                unsafe __sigaction_u.__sa_handler
            #endif
        }
        set {
            #if canImport(Glibc)
                unsafe __sigaction_handler.sa_handler = newValue
            #elseif canImport(Musl)
                unsafe __sa_handler.sa_handler = newValue
            #else
                unsafe __sigaction_u.__sa_handler = newValue
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
