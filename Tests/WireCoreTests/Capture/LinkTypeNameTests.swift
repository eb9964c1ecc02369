import Testing
import WireCore

@Suite("Link type names")
struct LinkTypeNameTests {
    @Test(
        "registered numbers have their names, the others a number",
        arguments: [
            (0, "NULL"), (1, "EN10MB"), (101, "RAW"), (113, "LINUX_SLL"), (127, "IEEE802_11_RADIOTAP"),
            (147, "USER0"), (149, "USER2"), (162, "USER15"), (258, "PKTAP"), (276, "LINUX_SLL2"),
            (65_000, "LINKTYPE_65000"),
        ] as [(UInt32, String)])
    func names(number: UInt32, name: String) {
        #expect(LinkType(rawValue: number).name == name)
    }

    @Test(
        "people call some types by another name",
        arguments: [
            (1, "Ethernet"), (101, "raw IP"), (229, "raw IP"), (108, "loopback"), (127, "Wi-Fi with radiotap"),
            (276, "Linux cooked v2"), (258, "PKTAP"), (149, "USER2"), (65_000, "LINKTYPE_65000"),
        ] as [(UInt32, String)])
    func commonNames(number: UInt32, name: String) {
        #expect(LinkType(rawValue: number).commonName == name)
    }
}
