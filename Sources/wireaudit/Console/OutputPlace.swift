/// What an output's path leads to.
package enum OutputPlace: Equatable {
    /// Standard output, or another descriptor that this process was given.
    case descriptor(Int32)
    /// A pipe, a device, a socket: opened, and written to as it is.
    case special
    /// A regular file, or none: the result takes this path when it is whole. Symbolic links are followed.
    case file(String)
    /// Nothing can be written there; the error code.
    case failed(Int32)

    /// As many links are followed as the system follows.
    private static let linkLimit = 40

    package init(path: String) {
        if path == "-" {
            self = .descriptor(Console.standardOutput)
            return
        }
        var path = path
        for _ in 0..<Self.linkLimit {
            if let descriptor = Self.namedDescriptor(path) {
                self = .descriptor(descriptor)
                return
            }
            guard let target = System.linkTarget(path) else {
                self = Self.place(of: path)
                return
            }
            path = target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
        }
        self = .failed(System.tooManyLinks)
    }

    private static func place(of path: String) -> OutputPlace {
        switch System.fileKind(path) {
        case .regular: .file(path)
        case .directory: .failed(System.isDirectory)
        case .other: .special
        case .missing where path.isEmpty: .failed(System.noSuchFile)
        case .missing where path.hasSuffix("/"): .failed(System.isDirectory)
        case .missing: .file(path)
        case .failed(let code): .failed(code)
        }
    }

    /// The names by which programs reach their own descriptors: to open the file behind one anew would be to write over
    /// what others have put there.
    private static func namedDescriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return Console.standardOutput
        case "/dev/stderr": return Console.standardError
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            return nil
        }
    }

    /// The folder that the last name of a path is in, as a path that another name can be put behind.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2f) else { return "." }
        return slash == path.startIndex ? "" : String(path[..<slash])
    }

    /// The last name of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2f) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// Both would be written to the same file, be it there already or not.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        if System.isSameFile(left, right) { return true }
        guard case .file(let first) = OutputPlace(path: left), case .file(let second) = OutputPlace(path: right),
            name(of: first) == name(of: second)
        else { return false }
        return System.isSameFolder(folder(of: first) + "/", folder(of: second) + "/")
    }
}
