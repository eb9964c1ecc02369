import Testing
import WireCore
import WireTesting

extension FrameFixture: CustomTestStringConvertible {}

@Suite("Packet decoder")
struct PacketDecoderTests {
    @Test("splits each kind of frame into the right layers", arguments: FrameFixture.all)
    func splitsFrames(fixture: FrameFixture) {
        let packet = decode(fixture.bytes, fixture.linkType)
        #expect(packet.kind == fixture.kind)
        #expect(FrameFixture.Layers(packet) == fixture.layers)
        #expect(inconsistency(packet, captured: fixture.bytes.count, original: fixture.bytes.count) == nil)
        if fixture.kind == .tcp {
            #expect(packet.sourcePort == 40_000)
            #expect(packet.destinationPort == 80)
            #expect(packet.payloadCaptured == 10)
            #expect(fixture.bytes[packet.payloadOffset..<packet.payloadOffset + 10].allSatisfy { $0 == 0x61 })
        }
    }

    @Test("tiles a frame that was captured up to any byte, and knows no more than that", arguments: FrameFixture.all)
    func tilesPrefixes(fixture: FrameFixture) {
        for captured in 0...fixture.bytes.count {
            for original in [fixture.bytes.count, captured, captured / 2, 0, 5 << 30] {
                let packet = decode(Array(fixture.bytes.prefix(captured)), fixture.linkType, original: original)
                let fault = inconsistency(packet, captured: captured, original: original)
                #expect(fault == nil, "\(captured) bytes of \(original)")
            }
        }
    }

    @Test(
        "keeps the layers of a snapped frame once all headers are there",
        arguments: FrameFixture.all.filter { $0.kind == .tcp || $0.kind == .udp })
    func keepsLayersOfSnappedFrames(fixture: FrameFixture) {
        let whole = decode(fixture.bytes, fixture.linkType)
        #expect(whole.kind == fixture.kind)
        for missing in 0...whole.payload {
            let captured = whole.payloadOffset + whole.payload - missing
            let packet = decode(
                Array(fixture.bytes.prefix(captured)), fixture.linkType, original: fixture.bytes.count)
            #expect(FrameFixture.Layers(packet) == fixture.layers)
            #expect(packet.payloadCaptured == whole.payload - missing)
        }
    }

    @Test("reads every field of a TCP segment")
    func readsSegmentFields() {
        var builder = PacketBuilder()
        builder.sequence = 0xfffe_0102
        builder.acknowledgment = 0x0304_0506
        builder.flags = [.syn, .ack, .psh]
        builder.window = 0x1234
        builder.identification = 0xbeef
        builder.options = [.maximumSegmentSize(1460), .windowScale(7)]
        let packet = decode(builder.frame())
        #expect(packet.kind == .tcp)
        #expect(packet.source == builder.source)
        #expect(packet.destination == builder.destination)
        #expect(packet.identification == 0xbeef)
        #expect(packet.sequence == 0xfffe_0102)
        #expect(packet.acknowledgment == 0x0304_0506)
        #expect(packet.flags == [.syn, .ack, .psh])
        #expect(packet.window == 0x1234)
        #expect(packet.networkOffset == 14)
        #expect(packet.transportOffset == 34)
        #expect(packet.transport == 28)
        #expect(packet.interfaceIndex == 0)
        #expect(!packet.lengthFromFrame)
        #expect(!packet.lengthBeyondFrame)
    }

    @Test(
        "decodes what the builder makes behind every link header",
        arguments: [PacketBuilder.Link.ethernet, .raw, .cooked, .cooked2(interfaceIndex: 9), .null], [false, true])
    func decodesBuiltFrames(link: PacketBuilder.Link, isVersion6: Bool) {
        var builder = isVersion6 ? Bytes.version6Builder : PacketBuilder()
        builder.link = link
        builder.payload = [1, 2, 3]
        for transport in [PacketBuilder.Transport.tcp, .udp] {
            builder.transport = transport
            let packet = decode(builder.frame(), builder.linkType)
            #expect(packet.source == builder.source)
            #expect(packet.destination == builder.destination)
            #expect(packet.sourcePort == 40_000)
            #expect(packet.payload == 3)
            #expect(packet.network == (isVersion6 ? 40 : 20))
            if case .cooked2(let index) = link { #expect(packet.interfaceIndex == index) }
        }
    }

    @Test("names the process of a PKTAP frame")
    func namesProcess() {
        func named(_ name: String, _ pid: UInt8 = 0, for effective: (UInt8, String)? = nil) -> CaptureProcess? {
            process(of: Bytes.processTap(12, name: name, pid: pid, effective: effective) + Bytes.tcp4, .pktap)
        }
        #expect(named("MobileSafari", 9) == CaptureProcess(app: "MobileSafari", name: "MobileSafari", pid: 9))
        #expect(
            named("nsurlsessiond", 9, for: (7, "Shop")) == CaptureProcess(app: "Shop", name: "nsurlsessiond", pid: 9))
        #expect(named("nsurlsessiond", 9, for: (7, "")) == CaptureProcess(app: "pid 7", name: "nsurlsessiond", pid: 9))
        #expect(named("Shop", 9, for: (9, "")) == CaptureProcess(app: "Shop", name: "Shop", pid: 9))
        #expect(named("", 9) == CaptureProcess(app: "pid 9", pid: 9))
        #expect(named("abcdefghijklmnopq")?.name?.count == 17)
        #expect(named("") == nil)
    }

    @Test("a PKTAP header without effective process, or cut behind 76 bytes, names the process")
    func shortTap() {
        var header = Bytes.processTap(12, name: "Shop", effective: (7, "Other"))
        header[0] = 88
        #expect(process(of: Array(header.prefix(88)) + Bytes.tcp4, .pktap)?.app == "Shop")
        #expect(process(of: Array(header.prefix(80)), .pktap) == nil)
    }
}

@Suite("Packet decoder: lengths that lie")
struct PacketLengthTests {
    @Test("derives the payload from the frame when the IP length is 0", arguments: [false, true])
    func derivesLength(isVersion6: Bool) {
        var builder = isVersion6 ? Bytes.version6Builder : PacketBuilder()
        builder.payload = Bytes.zeros(100)
        builder.lengthField = 0
        builder.trailer = Bytes.zeros(4)
        let packet = decode(builder.frame(), checkSequence: 4)
        #expect(packet.kind == .tcp)
        #expect(packet.payload == 100)
        #expect(packet.link == 14 + 4)
        #expect(packet.lengthFromFrame)
        #expect(!packet.lengthBeyondFrame)
    }

    @Test("cuts a packet that claims more than the frame holds", arguments: [false, true])
    func cutsLength(isVersion6: Bool) {
        var builder = isVersion6 ? Bytes.version6Builder : PacketBuilder()
        builder.payload = Bytes.zeros(10)
        builder.lengthField = 1400
        let packet = decode(builder.frame())
        #expect(packet.kind == .tcp)
        #expect(packet.payload == 10)
        #expect(packet.lengthBeyondFrame)
    }

    @Test("trusts the original length of a snapped frame")
    func trustsOriginalLength() {
        var builder = PacketBuilder()
        builder.payload = Bytes.zeros(1400)
        let packet = decode(Array(builder.frame().prefix(96)), original: 1454)
        #expect(packet.payload == 1400)
        #expect(packet.payloadCaptured == 96 - 54)
        #expect(!packet.lengthBeyondFrame)
    }

    @Test("ignores captured bytes beyond the original length")
    func ignoresSurplus() {
        let packet = decode(Bytes.ethernet(0x0800) + Bytes.tcp4 + Bytes.zeros(30), original: 60)
        #expect(packet.frameBytes == 60)
        #expect(packet.lengthBeyondFrame)
        #expect(packet.payload == 6)
        #expect(packet.payloadCaptured == 6)
    }

    @Test("books a declared check sequence to the link, and lets the IP length win where it is none")
    func booksCheckSequence() {
        let frame = Bytes.ethernet(0x0800) + Bytes.tcp4
        let declared = decode(frame + Bytes.zeros(4), checkSequence: 4)
        #expect(declared.link == 18)
        #expect(declared.payload == 10)
        let absent = decode(frame, checkSequence: 4)
        #expect(absent.link == 14)
        #expect(absent.payload == 10)
        #expect(!absent.lengthBeyondFrame)
    }

    @Test("keeps TCP whose options were cut")
    func keepsCutOptions() {
        var builder = PacketBuilder()
        builder.options = [.timestamps(value: 1, echo: 2)]
        builder.payload = Bytes.zeros(100)
        let packet = decode(Array(builder.frame().prefix(54)), original: 166)
        #expect(packet.kind == .tcp)
        #expect(packet.transport == 32)
        #expect(packet.payload == 100)
        #expect(packet.payloadCaptured == 0)
    }

    @Test("counts what UDP's own length leaves out as payload")
    func countsUDPSurplus() {
        var bytes = Bytes.datagram(to: 53, Bytes.zeros(20))
        bytes[25] = 12
        let packet = decode(Bytes.ethernet(0x0800) + bytes)
        #expect(packet.kind == .udp)
        #expect(packet.payload == 20)
    }

    @Test(
        "takes an IP header that makes no sense for none",
        arguments: [(0, 0x44), (0, 0x55), (0, 0x4f), (3, 19)] as [(Int, UInt8)])
    func refusesNonsense(position: Int, value: UInt8) {
        var bytes = Bytes.ethernet(0x0800) + Bytes.tcp4
        bytes[14 + position] = value
        let packet = decode(bytes)
        #expect(packet.kind == .nonIP)
        #expect(packet.link == bytes.count)
    }

    @Test("follows at most eight IP headers")
    func limitsDepth() {
        var content = Bytes.tcp4
        for _ in 0..<12 { content = Bytes.version4(4, content) }
        let packet = decode(Bytes.ethernet(0x0800) + content)
        #expect(packet.kind == .otherIP)
        #expect(packet.tunnel == 7 * 20)
        #expect(packet.payload == 12 * 20 + 50 - 8 * 20)
    }

    @Test("takes a mislabelled frame for raw IP only with a right checksum and length")
    func demandsProofOfRawIP() {
        for position in [3, 10, 20 - 1] {
            var bytes = Bytes.tcp4
            bytes[position] ^= 1
            #expect(decode(bytes).kind == .nonIP, "byte \(position)")
        }
        #expect(decode(Bytes.tcp4 + [0]).kind == .nonIP)
    }
}
