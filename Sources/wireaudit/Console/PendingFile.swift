/// A result that is written beside its place, under a temporary name, and takes the place when it is whole. So a file
/// under the result's own name is always a whole one: this run's, or the one that was there before.
///
///     shop.json   is written as   .shop.json.partial-4711   by process 4711
package final class PendingFile {
    /// Why the file cannot be made, or not take its place.
    package struct Failure: Error {
        package var code: Int32
        /// Who is refused: the folder, not the file.
        package var isFolder = false
    }

    /// Most bytes of a file's name on all usual file systems.
    private static let nameLimit = 255
    /// Names that are tried: files of runs that were killed, with the same number, may be in the way.
    private static let attemptLimit = 100

    package let descriptor: Int32
    package let temporaryPath: String
    private let path: String
    private var isOpen = true

    /// - Parameter path: a regular file that is to be replaced, or a name that is free; no symbolic link.
    package init(path: String) throws(Failure) {
        self.path = path
        let old = try Self.replaceable(path)
        var attempt = 1
        while true {
            let name = Self.temporaryPath(of: path, attempt: attempt, process: System.processNumber)
            // What replaces a file is nobody else's to read until it has that file's permissions.
            let result = SuddenEnd.remember(name) { System.create(name, permissions: old == nil ? 0o666 : 0o600) }
            if result >= 0 {
                (descriptor, temporaryPath) = (result, name)
                break
            }
            attempt += 1
            guard -result == System.fileExistsCode, attempt <= Self.attemptLimit else {
                throw Failure(code: -result, isFolder: true)
            }
        }
        if let old { System.setOwner(descriptor, as: old) }
    }

    deinit { discard() }

    /// Tells of what would otherwise be found when all is written: the old file's owner and permissions, nil without one.
    private static func replaceable(_ path: String) throws(Failure) -> System.Ownership? {
        guard System.fileKind(path) == .regular else { return nil }
        let refusal = System.writingProblem(path)
        guard refusal == 0 else { throw Failure(code: refusal) }
        guard System.mayReplace(path, in: OutputPlace.folder(of: path) + "/") else {
            throw Failure(code: System.notPermitted, isFolder: true)
        }
        return System.ownership(path)
    }

    /// Where a process writes what is to take the path's place.
    package static func temporaryPath(of path: String, attempt: Int = 1, process: Int32) -> String {
        let name = OutputPlace.name(of: path)
        let folder = String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self)
        return folder + temporaryName(of: name, attempt: attempt, process: process)
    }

    /// Whether the name is that of an unfinished result: of this file, or of any.
    static func isTemporary(_ name: String, of file: String? = nil) -> Bool {
        file.map { name.hasPrefix(".\($0).partial-") } ?? (name.hasPrefix(".") && name.contains(".partial-"))
    }

    /// The name is hidden from patterns such as `*.json`. One that would get too long is cut.
    package static func temporaryName(of name: String, attempt: Int = 1, process: Int32) -> String {
        let ending = ".partial-\(process)" + (attempt > 1 ? "-\(attempt)" : "")
        var stem = name[...]
        while stem.utf8.count + ending.utf8.count + 1 > nameLimit { stem.removeLast() }
        return "." + stem + ending
    }

    /// Nothing more is written: the file takes its place. On failure it is removed, except where only the last step
    /// failed: then it stays under its temporary name, because all work is done.
    package func commit() -> (code: Int32, isKept: Bool) {
        guard isOpen else { return (0, false) }
        isOpen = false
        let code = System.close(descriptor)
        guard code == 0 else {
            remove()
            return (code, false)
        }
        let refusal = System.rename(temporaryPath, to: path)
        SuddenEnd.forget()
        return (refusal, refusal != 0)
    }

    /// Gives the result up.
    package func discard() {
        guard isOpen else { return }
        isOpen = false
        _ = System.close(descriptor)
        remove()
    }

    private func remove() {
        _ = System.remove(temporaryPath)
        SuddenEnd.forget()
    }
}
