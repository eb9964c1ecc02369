/// What earlier runs left in the folder and what the list has no more.
extension FleetFolder {
    /// Removes the records of all sessions but those given, by the names of their folders; gives the names of the others.
    func removeRecords(except kept: Set<String>) -> Set<String> {
        var removed: Set<String> = []
        for day in System.names(in: records) where day.hasPrefix("day=") {
            let place = "\(records)/\(day)"
            for name in System.names(in: place) where name.hasPrefix("session=") && !kept.contains(name) {
                for file in ["exchanges.ndjson", "exchanges.ndjson.part"] {
                    _ = System.remove("\(place)/\(name)/\(file)")
                }
                if System.removeFolder("\(place)/\(name)") { removed.insert(name) }
            }
            // Only where nothing is left in it.
            _ = System.removeFolder(place)
        }
        return removed
    }

    /// Removes the sums of all sessions but those at these paths; gives how many sessions that were.
    func removeParts(except kept: Set<String>) -> Int {
        System.names(in: parts).filter { name in
            let path = "\(parts)/\(name)"
            guard name.hasSuffix(".part") || name.hasSuffix(".part.log"), !kept.contains(path) else { return false }
            return System.remove(path) == 0 && name.hasSuffix(".part")
        }.count
    }

    /// Removes unfinished results of fleets that were killed: nobody else is at work in the folder.
    func removeUnfinished() {
        for name in System.names(in: path) {
            let isOwn = (FleetFolder.reports + ["options"]).contains { PendingFile.isTemporary(name, of: $0) }
            if isOwn { _ = System.remove(file(name)) }
        }
        for place in [parts, groups] {
            for name in System.names(in: place) where PendingFile.isTemporary(name) {
                _ = System.remove("\(place)/\(name)")
            }
        }
    }

    /// Removes the reports and the sums of groups, which a run writes anew.
    func removeReports() {
        for name in FleetFolder.reports { _ = System.remove(file(name)) }
        for name in System.names(in: groups) where name.hasSuffix(".part") { _ = System.remove("\(groups)/\(name)") }
    }
}
