import Foundation
import WireTesting

// libFuzzer brings `main`, and calls these:
//
//     wirefuzz TARGET [arguments of libFuzzer]
//     wirefuzz targets                    the names of the targets with their longest inputs
//     wirefuzz seeds FOLDER CAPTURES      writes the inputs to begin with, a folder for each target
//     wirefuzz packets TARGET INPUT FILE  writes the packets that an input stands for as FILE.pcap, its keys as FILE.keys
//
// The target's name goes on in the environment, because libFuzzer starts itself anew to merge a corpus.

private let variable = "WIREFUZZ_TARGET"
nonisolated(unsafe) private var chosen: (any FuzzTarget.Type)?

/// Called once, before libFuzzer looks at the arguments: takes our own ones out of them.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    let words = CommandLine.arguments
    if words.count == 2, words[1] == "targets" {
        for target in FuzzTargets.all { print("\(target.name) \(target.longestInput)") }
        exit(0)
    }
    if words.count == 4, words[1] == "seeds" { exit(writeSeeds(folder: words[2], captures: words[3])) }
    if words.count == 5, words[1] == "packets" { exit(writePackets(target: words[2], input: words[3], file: words[4])) }
    var name = ProcessInfo.processInfo.environment[variable]
    if name == nil, words.count > 1 {
        name = words[1]
        setenv(variable, words[1], 1)
        for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
        count.pointee -= 1
    }
    chosen = FuzzTargets.all.first { $0.name == name }
    guard chosen != nil else {
        print("wirefuzz: no target \(name ?? "")")
        exit(64)
    }
    AllocationWatch.install()
    return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> Int32 {
    guard let target = chosen else { return 0 }
    let input = Array(UnsafeBufferPointer(start: bytes, count: length))
    AllocationWatch.begin()
    target.run(input)
    let amounts = AllocationWatch.end()
    demand(amounts.mostHeld <= target.memory.limit(length), "\(amounts.mostHeld) bytes held for \(length)")
    demand(amounts.total <= target.work.limit(length), "\(amounts.total) bytes allocated for \(length)")
    return 0
}

private func writeSeeds(folder: String, captures: String) -> Int32 {
    do {
        try SeedFolder(folder).fill(captures: captures)
        return 0
    } catch {
        print("wirefuzz: \(error)")
        return 74
    }
}

private func writePackets(target: String, input: String, file: String) -> Int32 {
    guard let found = FuzzTargets.all.first(where: { $0.name == target }),
        let bytes = try? Data(contentsOf: URL(fileURLWithPath: input)), let packets = found.packets([UInt8](bytes))
    else {
        print("wirefuzz: no packets of \(target) in \(input)")
        return 66
    }
    var capture = PcapFileBuilder(magic: 0xa1b2_3c4d)
    for frame in packets.frames {
        // A pcap file has room for the times of 136 years.
        let time = UInt64(clamping: frame.time)
        capture.record(
            seconds: UInt32(clamping: time / 1_000_000_000), fraction: UInt32(time % 1_000_000_000), frame.bytes,
            second: UInt32(frame.originalLength ?? frame.bytes.count))
    }
    do {
        try Data(capture.bytes).write(to: URL(fileURLWithPath: file + ".pcap"))
        try Data(packets.keys).write(to: URL(fileURLWithPath: file + ".keys"))
        return 0
    } catch {
        print("wirefuzz: \(error)")
        return 74
    }
}
