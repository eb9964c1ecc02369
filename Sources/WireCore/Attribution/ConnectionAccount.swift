/// Where the message of an exchange lies that asked for an upgrade to HTTP/2. Its bytes are set-up, but its
/// acknowledgments stay with the exchange, whenever they come.
final class UpgradeMessage {
    let owner: Owner
    let range: OwnedRange

    init(_ owner: Owner, _ range: OwnedRange) { (self.owner, self.range) = (owner, range) }
}

/// What one direction of a connection has cost, as far as no open account of an owner holds it.
struct ConnectionAccount {
    /// The latest owner that has bytes in the direction; below 0 where there is none.
    var latest: Int32 = -1
    /// The owner that was found last; below 0 when its account was closed.
    var hint: Int32 = -1
    /// Costs whose owner shows only when more of the stream has come.
    var deferred = DeferredCosts.Chain()
    /// Who owns what, where units lie in records or frames; nil where messages lie in the stream one after another.
    var runs: OwnerRuns?
    /// The message of an exchange that asked for an upgrade to HTTP/2; nil where there was none.
    var upgrade: UpgradeMessage?
    /// What no owner pays, or not yet: set-up, teardown and keep-alives are shared out by policy when the connection
    /// ends. The link bytes of those stand apart.
    var unattributed = CostVector()
    var overheadLink = 0
    /// What owners have paid whose accounts were closed.
    var attributed = CostVector()

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        (latest, hint) = (-1, -1)
        deferred = DeferredCosts.Chain()
        if runs != nil { runs = nil }
        if upgrade != nil { upgrade = nil }
        unattributed.clear()
        overheadLink = 0
        attributed.clear()
    }

    @inline(__always)
    mutating func addOverhead(_ cause: Cause, _ bytes: Int, link: Int) {
        unattributed[cause] += bytes
        overheadLink += link
    }
}

extension UnsafePair<ConnectionAccount> {
    /// What no owner has paid.
    func own(client: Direction) -> Directions<CostVector> {
        var own = Directions(up: self[client].unattributed, down: self[client.opposite].unattributed)
        own.up.link += self[client].overheadLink
        own.down.link += self[client.opposite].overheadLink
        return own
    }
}
