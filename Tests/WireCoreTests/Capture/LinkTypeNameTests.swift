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
}
