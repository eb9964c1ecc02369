/// DNS messages as bytes (RFC 1035 §4).
enum DNSBytes {
    static func query(_ name: String, identifier: UInt8, type: UInt8 = 1) -> [UInt8] {
        [0, identifier, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels(name) + [0, type, 0, 1]
    }

    /// An answer with one record for each address, 4 bytes for A, 16 for AAAA, after a CNAME.
    static func answer(_ name: String, identifier: UInt8, type: UInt8 = 1, _ addresses: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [0, identifier, 0x81, 0x80, 0, 1, 0, UInt8(addresses.count + 1), 0, 0, 0, 0]
        bytes += labels(name) + [0, type, 0, 1]
        bytes += [0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 0x78, 0xc0, 12]
        for address in addresses {
            bytes += [0xc0, 12, 0, address.count == 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, UInt8(address.count)] + address
        }
        return bytes
    }

    /// An answer with an HTTPS record that has these parameters.
    static func service(_ name: String, identifier: UInt8, _ parameters: [(key: UInt8, value: [UInt8])]) -> [UInt8] {
        var data: [UInt8] = [0, 1, 0]
        for parameter in parameters { data += [0, parameter.key, 0, UInt8(parameter.value.count)] + parameter.value }
        var bytes: [UInt8] = [0, identifier, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
        bytes += labels(name) + [0, 65, 0, 1]
        bytes += [0xc0, 12, 0, 65, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)]
        return bytes + data
    }

    static func labels(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
