/// Where packets are captured: a file, and the interface that it or the packet names.
struct CapturePoint: Hashable, Sendable {
    var file = 0
    /// Number of the interface over all files in the upper half, and in the packet in the lower.
    var interface: UInt64 = 0

    /// The number in the packet, or else the one in the file from 0.
    var number: Int {
        let own = Int(truncatingIfNeeded: interface & 0xFFFF_FFFF)
        return own != 0 ? own : fileInterface % CaptureFrame.interfacesPerFile
    }

    /// Frames say no more of it than the file does.
    var isOfFile: Bool { interface & 0xFFFF_FFFF == 0 }
    var fileInterface: Int { Int(truncatingIfNeeded: interface >> 32) }
}

/// The interfaces of a capture as far as it names them, and the one at which connections shall count that several have.
struct CaptureInterfaces {
    /// By their numbers over all files.
    private var names: [Int: [UInt8]] = [:]
    /// A name, a number, or the path of a file.
    private let chosen: String?
    private let chosenNumber: Int?
    private var chosenFiles: Set<Int> = []
    /// Frames were captured there.
    private(set) var isChosenSeen = false

    /// Where frames were captured, as `--at` takes it; the first of them, until the chosen place is seen.
    private(set) var others: [String] = []
    private static let othersLimit = 16

    /// Interfaces with names that are kept.
    private static let limit = 4096

    init(chosen: String?) {
        self.chosen = chosen
        chosenNumber = chosen.flatMap { Int($0) }
    }

    mutating func addFile(_ path: String, at index: Int) {
        if path == chosen { chosenFiles.insert(index) }
    }

    mutating func add(_ name: [UInt8], number: Int) {
        if names.count < Self.limit || names[number] != nil { names[number] = name }
    }

    /// Frames come from another place than those before.
    mutating func record(_ point: CapturePoint) {
        guard chosen != nil, !isChosenSeen else { return }
        isChosenSeen = isChosen(point)
        guard !isChosenSeen, others.count < Self.othersLimit else { return }
        let name = name(of: point).map { String(decoding: $0, as: UTF8.self) } ?? String(point.number)
        if !others.contains(name) { others.append(name) }
    }

    func isChosen(_ point: CapturePoint) -> Bool {
        guard let chosen else { return false }
        if let name = name(of: point), name.elementsEqual(chosen.utf8) { return true }
        return point.number == chosenNumber || chosenFiles.contains(point.file)
    }

    /// The name that the file has for the interface of its frames.
    func name(of point: CapturePoint) -> [UInt8]? { point.isOfFile ? names[point.fileInterface] : nil }
}
