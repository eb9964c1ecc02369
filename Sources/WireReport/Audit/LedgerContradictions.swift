import WireCore

extension LedgerSummary {
    /// The identities that do not hold, each with both of its numbers. Empty exactly when the ledger is balanced.
    public var contradictions: [String] {
        var found: [String] = []
        if layers.total != bytes {
            found.append("the layers sum to \(layers.total) bytes, the frames to \(bytes)")
        }
        let shared = causes.up.internet + causes.down.internet + other.total
        if shared != layers.internet {
            found.append("causes and other lines sum to \(shared) bytes, the IP layers to \(layers.internet)")
        }
        if owned != causes {
            found.append(ownerContradiction)
        }
        if datagrams != other.datagrams {
            found.append("rows of UDP sum to \(datagrams) bytes, the ledger has \(other.datagrams)")
        }
        return found
    }

    /// Names the first cause in which the owners' lines and the ledger differ.
    private var ownerContradiction: String {
        for (direction, owned, causes) in [("up", owned.up, causes.up), ("down", owned.down, causes.down)] {
            for cause in Cause.allCases where owned[cause] != causes[cause] {
                return "APIs and hosts own \(owned[cause]) bytes of \(direction).\(cause.name), "
                    + "the ledger has \(causes[cause])"
            }
            if owned.link != causes.link {
                return "APIs and hosts own \(owned.link) link bytes \(direction), the ledger has \(causes.link)"
            }
        }
        let ownedHidden = owned.up.offloadHidden + owned.down.offloadHidden
        let ledgerHidden = causes.up.offloadHidden + causes.down.offloadHidden
        return "APIs and hosts own \(ownedHidden) bytes hidden by offload, the ledger has \(ledgerHidden)"
    }
}
