import WireComparison

/// Names of a manifest as names of files and folders: what file systems cannot hold, or hold apart, is told before the work.
enum FleetNames {
    /// Most bytes of a name on all usual file systems.
    private static let longest = 255

    static func sessionFolder(_ name: String) -> String { "session=\(DayFiles.folderName(name))" }

    static func groupFile(_ label: String, _ value: String) -> String {
        "\(DayFiles.folderName(label))=\(DayFiles.folderName(value)).part"
    }

    /// What is wrong, with the line; nil where nothing is.
    static func problem(_ manifest: FleetManifest) -> String? {
        var folders: [String: FleetSession] = [:]
        var files: [String: (label: String, value: String, line: Int)] = [:]
        if let label = manifest.labels.first(where: { $0.lowercased() == FleetResult.day && $0 != FleetResult.day }) {
            return "label '\(shown(label))' differs only by case from '\(FleetResult.day)', a group of every fleet"
        }
        for session in manifest.sessions {
            let folder = sessionFolder(session.name)
            if let problem = tooLong("session '\(shown(session.name))'", folder, session.line) { return problem }
            if let other = folders.updateValue(session, forKey: folder.lowercased()) {
                return alike("session", session.name, session.line, other.name, other.line)
            }
            for (label, value) in session.labels where !value.isEmpty {
                let file = groupFile(label, value)
                if let problem = tooLong("\(shown(label)) '\(shown(value))'", file, session.line) { return problem }
                guard let other = files[file.lowercased()] else {
                    files[file.lowercased()] = (label, value, session.line)
                    continue
                }
                if other.label != label { return alike("label", label, 1, other.label, 1) }
                if other.value != value { return alike(label, value, session.line, other.value, other.line) }
            }
        }
        return nil
    }

    private static func tooLong(_ what: String, _ file: String, _ line: Int) -> String? {
        guard file.utf8.count > longest else { return nil }
        return "line \(line): \(what) makes a file name of \(file.utf8.count) bytes, and \(longest) are the most; "
            + "letters, digits, '-', '_' and '.' take one byte, all others three"
    }

    private static func alike(_ what: String, _ name: String, _ line: Int, _ other: String, _ first: Int) -> String {
        "line \(line): \(what) '\(shown(name))' differs from '\(shown(other))' of line \(first) only by case, and not "
            + "every file system tells them apart"
    }

    private static func shown(_ name: String) -> String { name.count > 40 ? name.prefix(40) + "…" : name }
}
