import Platform

/// Users of the system, and becoming one of them.
enum Accounts {
    static var realUser: UInt32 { getuid() }
    static var effectiveUser: UInt32 { geteuid() }
    static var realGroup: UInt32 { getgid() }

    static func named(_ name: String) -> Account? {
        guard let entry = unsafe getpwnam(name) else { return nil }
        return unsafe account(entry.pointee)
    }

    static func numbered(_ user: UInt32) -> Account? {
        guard let entry = unsafe getpwuid(user) else { return nil }
        return unsafe account(entry.pointee)
    }

    private static func account(_ entry: passwd) -> Account {
        unsafe Account(name: String(cString: entry.pw_name), user: entry.pw_uid, group: entry.pw_gid)
    }

    /// Groups first, as only root may change them; then the user, and a proof that there is no way back. What went
    /// wrong, or nil.
    static func become(_ account: Account) -> String? {
        guard setGroups(of: account) == 0 else { return "its groups: " + System.reason(errno) }
        guard setgid(account.group) == 0 else { return "group \(account.group): " + System.reason(errno) }
        guard setuid(account.user) == 0 else { return System.reason(errno) }
        guard getuid() == account.user, geteuid() == account.user, getgid() == account.group,
            getegid() == account.group
        else { return "the system still sees another user" }
        let canReturn = setuid(0) == 0 || seteuid(0) == 0
        let canTakeGroup = account.group != 0 && (setgid(0) == 0 || setegid(0) == 0)
        return canReturn || canTakeGroup ? "root's rights could be taken again" : nil
    }

    /// The groups that the system lists for the user; a user without a name has one.
    private static func setGroups(of account: Account) -> Int32 {
        guard let name = account.name else {
            var group = account.group
            return unsafe setgroups(1, &group)
        }
        return Platform.setGroups(ofUser: name, and: account.group)
    }
}
