import Testing
import wireaudit

@Suite("Privileges")
struct PrivilegesTests {
    private static let ann = Account(name: "ann", user: 1000, group: 100)
    private static let annToo = Account(name: "ann2", user: 1000, group: 200)
    private static let daemon = Account(name: "daemon", user: 1, group: 1)
    private static let root = Account(name: "root", user: 0, group: 0)
    private static let accounts = [root, daemon, ann, annToo]

    private struct Case {
        var name: String
        var real: UInt32 = 0
        var effective: UInt32 = 0
        var sudo: (user: String?, id: String?, group: String?) = (nil, nil, nil)
        var requested: String?
        var expected: Account?
    }

    private static func choose(_ one: Case) throws(PrivilegeError) -> Account? {
        var facts = Privileges.Facts(realUser: one.real, effectiveUser: one.effective, realGroup: 77)
        (facts.sudoUser, facts.sudoUserID, facts.sudoGroupID) = one.sudo
        return try Privileges.choose(
            facts, requested: one.requested, named: { name in accounts.first { $0.name == name } },
            numbered: { user in accounts.first { $0.user == user } })
    }

    private static let stranger = Account(name: nil, user: 5000, group: 50)
    private static let sudoAnn = Account(name: "ann", user: 1000, group: 42)

    private static let choices = [
        Case(name: "root by login stays"),
        Case(name: "sudo: the invoking user", sudo: ("ann", "1000", "100"), expected: ann),
        Case(name: "sudo: its group counts", sudo: ("ann", "1000", "42"), expected: sudoAnn),
        Case(name: "sudo: the name of two that share a number", sudo: ("ann2", "1000", "200"), expected: annToo),
        Case(name: "sudo: a name that is another's is not believed", sudo: ("root", "1000", "100"), expected: ann),
        Case(name: "sudo: a user without a name", sudo: ("gone", "5000", "50"), expected: stranger),
        Case(name: "sudo: no group", sudo: (nil, "1000", nil), expected: ann),
        Case(name: "sudo by root stays", sudo: ("root", "0", "0")),
        Case(name: "sudo by root stays, whatever else is said", sudo: ("ann", "0", "x")),
        Case(name: "a name without a number is nothing", sudo: ("ann", nil, "100")),
        Case(name: "--user by name", requested: "ann", expected: ann),
        Case(name: "--user by number", requested: "1", expected: daemon),
        Case(name: "--user before sudo", sudo: ("ann", "1000", "100"), requested: "daemon", expected: daemon),
        Case(name: "--user root stays", sudo: ("ann", "1000", "100"), requested: "root"),
        Case(name: "--user 0 stays", sudo: ("ann", "1000", "100"), requested: "0"),
        Case(name: "no root: nothing to give up", real: 1000, effective: 1000),
        Case(name: "no root: sudo's words mean nothing", real: 1000, effective: 1000, sudo: ("root", "1", "1")),
        Case(name: "no root: oneself", real: 1000, effective: 1000, requested: "ann"),
        Case(
            name: "root by the file's mode: the caller", real: 1000,
            expected: Account(name: "ann", user: 1000, group: 77)),
        Case(
            name: "root by the file's mode: a caller without a name", real: 5000,
            expected: Account(name: nil, user: 5000, group: 77)),
        Case(
            name: "root by the file's mode: sudo's words are the caller's", real: 1000, sudo: ("root", "0", "0"),
            expected: Account(name: "ann", user: 1000, group: 77)),
        Case(
            name: "root by the file's mode: oneself", real: 1000, requested: "1000",
            expected: Account(name: "ann", user: 1000, group: 77)),
    ]

    @Test("who this becomes", arguments: choices.indices)
    func becomes(index: Int) throws {
        let one = Self.choices[index]
        #expect(try Self.choose(one) == one.expected, "\(one.name)")
    }

    private static let refusals: [(one: Case, message: String, isPermission: Bool)] = [
        (Case(name: "unknown", requested: "eve"), "there is no user 'eve'", false),
        (Case(name: "control character", requested: "e\u{1B}"), "there is no user 'e\\x1b'", false),
        (Case(name: "empty", requested: ""), "there is no user ''", false),
        (Case(name: "sign", requested: "+1"), "there is no user '+1'", false),
        (Case(name: "too large, and root when cut", requested: "4294967296"), "there is no user '4294967296'", false),
        (Case(name: "word", sudo: (nil, "x", "1")), "SUDO_UID is not a number: 'x'; see --user", false),
        (Case(name: "negative", sudo: (nil, "-1", "1")), "SUDO_UID is not a number: '-1'; see --user", false),
        (
            Case(name: "no change", sudo: (nil, "4294967295", "1")),
            "SUDO_UID is not a number: '4294967295'; see --user", false
        ),
        (Case(name: "group", sudo: (nil, "1000", "")), "SUDO_GID is not a number: ''; see --user", false),
        (
            Case(name: "a number without a group", sudo: (nil, "5000", nil)),
            "SUDO_UID names no user, and SUDO_GID is not set; see --user", false
        ),
        (
            Case(name: "no root", real: 1000, effective: 1000, requested: "root"),
            "only root can become root; leave out --user", true
        ),
        (Case(name: "no root", real: 1000, effective: 1000, requested: "eve"), "there is no user 'eve'", false),
        (
            Case(name: "root by the file's mode", real: 1000, requested: "daemon"),
            "only root can become daemon; leave out --user", true
        ),
        (
            Case(name: "root by the file's mode", real: 1000, requested: "root"),
            "only root can become root; leave out --user", true
        ),
    ]

    @Test("who this cannot become", arguments: refusals.indices)
    func refuses(index: Int) {
        let (one, message, isPermission) = Self.refusals[index]
        do throws(PrivilegeError) {
            let found = try Self.choose(one)
            Issue.record("\(one.name): becomes \(String(describing: found))")
        } catch {
            #expect(error.message == message && error.isPermission == isPermission, "\(one.name)")
        }
    }
}
