import WireCapture
import WireCore
import WireTesting

/// A pcap file with frames at these times (seconds); each frame holds its time in its first byte.
func pcap(times: [UInt32], network: UInt32 = 1, size: Int = 60) -> [UInt8] {
    var file = PcapFileBuilder(network: network)
    for time in times { file.record(seconds: time, frame(time, size)) }
    return file.bytes
}

/// The same as pcapng, with two interfaces that see the frames in turn.
func pcapng(times: [UInt32]) -> [UInt8] {
    var file = PcapngFileBuilder()
    file.section()
    file.interface()
    file.interface()
    for (index, time) in times.enumerated() {
        file.enhancedPacket(interface: UInt32(index % 2), time: UInt64(time) * 1_000_000, frame(time, 60))
    }
    return file.bytes
}

private func frame(_ time: UInt32, _ size: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: time)] + [UInt8](repeating: 0, count: size - 1)
}

/// A frame as the merge hands it out.
struct MergedFrame: Equatable {
    var file: Int
    var seconds: Int64
    var interface: Int
    var firstByte: UInt8
}

/// All frames of these files in the order in which an audit takes them.
func merge(_ paths: [String]) throws -> [MergedFrame] {
    var inputs = try CaptureInputs(paths: paths)
    var frames: [MergedFrame] = []
    while let turn = inputs.nextTurn() {
        let pause = try turn.reader.drain(through: turn.limit) { frame, bytes, _, _ throws(CaptureError) in
            frames.append(
                MergedFrame(
                    file: turn.file, seconds: frame.time / 1_000_000_000,
                    interface: turn.firstInterface + frame.interface, firstByte: bytes.u8(0)))
        }
        if pause == .needsBytes { turn.reader.refill() }
    }
    return frames
}
