import WireComparison

/// The results of a fleet whose sessions were audited elsewhere, such as on many machines: a line of each session, and
/// merged sums. Ends the program where they are not those of the manifest.
struct MergedFleet {
    let folder: FleetFolder
    /// Those of the command line, which the results must have been made with.
    let choices: [String: [String]]

    func read(_ manifest: FleetManifest) -> FleetResult {
        let path = folder.file("sessions.ndjson")
        do {
            return try FleetResult(manifest, rows: rows(path)) { group throws(PartialError) in
                let path = group.map { "\(folder.groups)/\(FleetNames.groupFile($0.label, $0.value))" }
                return part(path ?? folder.file("fleet.part"))
            }
        } catch let mismatch as FleetResult.Mismatch {
            Console.stop(
                printable("\(folder.path) does not hold the results of the list: \(mismatch.message)"), .data)
        } catch {
            Console.stop(printable("\(path): \((error as? PartialError)?.message ?? "\(error)")"), .data)
        }
    }

    private func part(_ path: String) -> PartialResult {
        let part = PartFile.needed(path)
        let names = Set(part.choices.keys).union(choices.keys).sorted()
        if let other = names.first(where: { part.choices[$0] != choices[$0] }) {
            Console.stop(
                printable("\(path) was made with another --\(other); give the same options"), .usage)
        }
        return part
    }

    private func rows(_ path: String) throws(PartialError) -> [FleetRow] {
        let file = LogFile(path: path)
        let rows = try FleetRow.read(lines: { file.next() })
        if let fault = file.openingFault { Console.stop("cannot open \(printable(path)): \(fault)", .noInput) }
        if let fault = file.fault { Console.stop("cannot read \(printable(path)) to its end: \(fault)", .noInput) }
        return rows
    }
}
