import Foundation

/// An app with two monitoring SDKs in it, for `.ci/sdk-lab`: it makes the calls of a plan over real sockets, and writes
/// what the SDKs log of them, in several conventions, and beside it whose row is whose.
///
///     sdklab --scheme http|https --port PORT [--untrusted PORT] --seed N --calls N --output FOLDER
@main
struct SDKLab {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            let plan = Plan(options)
            let driver = Driver(plan)
            driver.run()
            let calls = recorder.finishedCalls()
            try LogFiles(folder: options.output).write(calls)
            let legs = calls.reduce(0) { $0 + $1.legs.count }
            print("calls \(plan.calls.count) recorded \(calls.count) legs \(legs) outcomes \(driver.outcomes)")
        } catch {
            FileHandle.standardError.write(Data("sdklab: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// The words of the command line.
struct Options {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    var scheme = "http"
    var port = 0
    /// A server whose certificate nobody signed that is trusted; calls to it fail in the handshake.
    var untrusted: Int?
    var seed: UInt64 = 1
    var calls = 400
    var output = ""

    init(_ words: [String]) throws {
        var rest = words[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure(description: "\(name) needs a value") }
            switch name {
            case "--scheme": scheme = value
            case "--port": port = try Options.number(name, value)
            case "--untrusted": untrusted = try Options.number(name, value)
            case "--seed": seed = UInt64(try Options.number(name, value))
            case "--calls": calls = try Options.number(name, value)
            case "--output": output = value
            default: throw Failure(description: "unknown option \(name)")
            }
        }
        guard port > 0, !output.isEmpty else { throw Failure(description: "--port and --output are needed") }
    }

    private static func number(_ name: String, _ value: String) throws -> Int {
        guard let number = Int(value), number >= 0 else {
            throw Failure(description: "\(name): not a number: \(value)")
        }
        return number
    }
}

/// SplitMix64: the same plan for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}
