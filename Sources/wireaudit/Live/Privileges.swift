import WireJoin

/// A user of the system.
package struct Account: Equatable, Sendable {
    /// Nil for a user that only has a number.
    package var name: String?
    package var user: UInt32
    package var group: UInt32

    package init(name: String?, user: UInt32, group: UInt32) {
        self.name = name
        self.user = user
        self.group = group
    }

    /// For messages.
    package var label: String { name.map(printable) ?? "user \(user)" }
}

/// Why privileges cannot be given up, in one line.
package struct PrivilegeError: Error, Equatable {
    package var message: String
    /// The system refuses; else the user is unknown.
    package var isPermission: Bool
}

/// Who this process is, and what it should be once the interfaces are open: root reads packets, but no file.
package struct Privileges {
    /// What decides.
    package struct Facts {
        package var realUser: UInt32
        package var effectiveUser: UInt32
        package var realGroup: UInt32
        /// The variables of sudo.
        package var sudoUser: String?
        package var sudoUserID: String?
        package var sudoGroupID: String?

        package init(realUser: UInt32, effectiveUser: UInt32, realGroup: UInt32) {
            self.realUser = realUser
            self.effectiveUser = effectiveUser
            self.realGroup = realGroup
        }
    }

    /// The user to become; nil when this process stays what it is.
    package let account: Account?

    /// Decides before anything is opened, so that a wrong user is told at once. `requested`: name or number of --user.
    package static func plan(requested: String?) throws(PrivilegeError) -> Privileges {
        var facts = Facts(
            realUser: Accounts.realUser, effectiveUser: Accounts.effectiveUser, realGroup: Accounts.realGroup)
        facts.sudoUser = System.environment("SUDO_USER")
        facts.sudoUserID = System.environment("SUDO_UID")
        facts.sudoGroupID = System.environment("SUDO_GID")
        return Privileges(
            account: try choose(facts, requested: requested, named: Accounts.named, numbered: Accounts.numbered))
    }

    /// Becomes the user for good. Files opened from now on are that user's.
    package func drop() throws(PrivilegeError) {
        guard let account else { return }
        if let problem = Accounts.become(account) {
            throw PrivilegeError(message: "cannot become \(account.label): \(problem)", isPermission: true)
        }
    }

    /// The user that this process should become; nil for none.
    package static func choose(
        _ facts: Facts, requested: String?, named: (String) -> Account?, numbered: (UInt32) -> Account?
    ) throws(PrivilegeError) -> Account? {
        guard facts.effectiveUser == 0 else {
            return try nobodyElse(requested, than: facts.effectiveUser, named, numbered)
        }
        // Root by the file's mode: the caller's words must not choose who this becomes.
        guard facts.realUser == 0 else {
            _ = try nobodyElse(requested, than: facts.realUser, named, numbered)
            return Account(name: numbered(facts.realUser)?.name, user: facts.realUser, group: facts.realGroup)
        }
        if let requested {
            let account = try find(requested, named, numbered)
            return account.user == 0 ? nil : account
        }
        return try invokingUser(facts, named, numbered)
    }

    private static func nobodyElse(
        _ requested: String?, than user: UInt32, _ named: (String) -> Account?, _ numbered: (UInt32) -> Account?
    ) throws(PrivilegeError) -> Account? {
        guard let requested else { return nil }
        let account = try find(requested, named, numbered)
        guard account.user == user else {
            throw PrivilegeError(message: "only root can become \(account.label); leave out --user", isPermission: true)
        }
        return nil
    }

    private static func find(
        _ word: String, _ named: (String) -> Account?, _ numbered: (UInt32) -> Account?
    ) throws(PrivilegeError) -> Account {
        if let account = named(word) ?? number(word).flatMap(numbered) { return account }
        throw PrivilegeError(message: "there is no user '\(printable(word))'", isPermission: false)
    }

    /// Who called sudo; nil when that was root, or there was no sudo.
    private static func invokingUser(
        _ facts: Facts, _ named: (String) -> Account?, _ numbered: (UInt32) -> Account?
    ) throws(PrivilegeError) -> Account? {
        guard let word = facts.sudoUserID else { return nil }
        guard let user = number(word) else { throw wrong("SUDO_UID", word) }
        guard user != 0 else { return nil }
        // Two names may share a number.
        let byName = facts.sudoUser.flatMap(named).flatMap { $0.user == user ? $0 : nil }
        var account = byName ?? numbered(user)
        if let word = facts.sudoGroupID {
            guard let group = number(word) else { throw wrong("SUDO_GID", word) }
            account = Account(name: account?.name, user: user, group: group)
        }
        if let account { return account }
        throw PrivilegeError(
            message: "SUDO_UID names no user, and SUDO_GID is not set; see --user", isPermission: false)
    }

    private static func wrong(_ variable: String, _ word: String) -> PrivilegeError {
        PrivilegeError(message: "\(variable) is not a number: '\(printable(word))'; see --user", isPermission: false)
    }

    /// Digits only. The largest number means "no change" to the system, so it is no user.
    private static func number(_ word: String) -> UInt32? {
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(word),
            number != .max
        else { return nil }
        return number
    }
}
