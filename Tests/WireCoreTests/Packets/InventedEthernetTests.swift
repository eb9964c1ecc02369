import Testing
import WireCore
import WireTesting

@Suite("Ethernet headers that no wire had")
struct InventedEthernetTests {
    /// As PCAPdroid writes it: addresses of 0, padding to a multiple of four, magic, user, name of the app, check sum.
    private static func frame(_ builder: PacketBuilder, app: String = "Shop", magic: [UInt8] = [1, 7, 0x20, 0x21])
        -> [UInt8]
    {
        var packet = builder
        packet.link = .raw
        let content = packet.frame()
        let type: [UInt8] = content[0] >> 4 == 6 ? [0x86, 0xdd] : [8, 0]
        let head = Bytes.zeros(12) + type + content
        let padding = Bytes.zeros((4 - head.count % 4) % 4)
        let name = Array(app.utf8)
        return head + padding + magic + [0, 0, 0x27, 0x5f] + name + Bytes.zeros(20 - name.count) + [9, 8, 7, 6]
    }

    private static func packet(payload: Int, isVersion6: Bool, transport: PacketBuilder.Transport) -> PacketBuilder {
        var builder = isVersion6 ? Bytes.version6Builder : PacketBuilder()
        builder.transport = transport
        builder.payload = [UInt8](repeating: 1, count: payload)
        return builder
    }

    @Test(
        "PCAPdroid's header and trailer are pseudo, and name the app", arguments: 1..<6, [false, true])
    func trailer(payload: Int, isVersion6: Bool) {
        for transport in [PacketBuilder.Transport.tcp, .udp, .other(1)] {
            let bytes = Self.frame(Self.packet(payload: payload, isVersion6: isVersion6, transport: transport))
            let packet = decode(bytes)
            #expect(packet.link == 0 && packet.pseudo == bytes.count - packet.internetBytes)
            #expect(packet.payload == payload)
            #expect(process(of: bytes) == CaptureProcess(app: "Shop", name: "Shop"))
            #expect(inconsistency(packet, captured: bytes.count, original: bytes.count) == nil)
        }
    }

    @Test("names may be absent, or fill their field", arguments: ["", "com.example.shopping"])
    func names(app: String) {
        let named = process(of: Self.frame(PacketBuilder(), app: app))
        #expect(named?.app == (app.isEmpty ? "uid 10079" : app) && named?.pid == nil)
    }

    @Test("without the whole trailer nothing is taken for invented")
    func proof() {
        let whole = Self.frame(PacketBuilder())
        let other = decode(Self.frame(PacketBuilder(), magic: [1, 7, 0x20, 0x22]))
        #expect(other.pseudo == 0 && other.link == whole.count - other.internetBytes && other.processCarrier == .none)
        let cut = decode(Array(whole.dropLast(1)), original: whole.count)
        #expect(cut.pseudo == 0)
        // The magic as the end of a payload.
        var builder = PacketBuilder()
        builder.payload = Array(whole.suffix(32))
        let payload = decode(Bytes.zeros(12) + [8, 0] + Array(builder.frame().dropFirst(14)))
        #expect(payload.pseudo == 0 && payload.link == 14)
        // Real addresses.
        let real = decode([2, 0, 0, 0, 0, 1] + Array(whole.dropFirst(6)))
        #expect(real.pseudo == 0)
    }
}
