import Foundation
import WireTesting

/// Something that takes hostile bytes. `run` ends the process where a property does not hold.
protocol FuzzTarget: SendableMetatype {
    static var name: String { get }
    /// Longest input that is tried, bytes.
    static var longestInput: Int { get }
    /// Most that may be held at one time.
    static var memory: Bound { get }
    /// Most that may be allocated in all, what was freed again included: it grows with the input as the work does.
    static var work: Bound { get }

    static func run(_ input: [UInt8])
    /// The packets that an input stands for; nil where it stands for none. With the key log that opens them.
    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])?
}

extension FuzzTarget {
    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? { nil }
}

/// A number of bytes that may grow with the length of the input, in proportion.
struct Bound {
    var fixed: Int
    var perByte: Int

    func limit(_ length: Int) -> Int { fixed + perByte * length }
}

enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        CaptureTarget.self, FramesTarget.self, TCPTarget.self, HTTP1Target.self, TLSTarget.self, HTTP2Target.self,
        QUICTarget.self, DNSTarget.self, ContentTarget.self, LogsTarget.self, KeyLogTarget.self,
        OperationsTarget.self,
    ]
}

/// The stored input that runs; empty in the fuzz program, where libFuzzer says which it is.
nonisolated(unsafe) var runningInput = ""

/// Ends the process with this message unless the condition holds.
@inline(__always)
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fail(message()) }
}

@inline(never)
func fail(_ message: String) -> Never {
    let place = unsafe runningInput.isEmpty ? "" : " in \(unsafe runningInput)"
    FileHandle.standardError.write(Data("PROPERTY: \(message)\(place)\n".utf8))
    abort()
}
