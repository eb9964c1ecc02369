import CNghttp2

/// The header compression of one direction of an HTTP/2 connection (RFC 7541) as nghttp2 does it: how many bytes field
/// sections take. The blocks themselves are thrown away.
@safe public final class HPACKDeflater {
    /// Size of the dynamic table before anything is announced (RFC 9113 §6.5.2).
    public static let table = 4096
    /// Larger sections are not compressed, bytes of their names and values.
    public static let largestSection = 1 << 20

    private let deflater: OpaquePointer
    private var room: [UInt8] = []

    /// Nil without memory. `table`: size of the dynamic table, bytes.
    public init?(table: Int = HPACKDeflater.table) {
        var made: OpaquePointer?
        guard unsafe nghttp2_hd_deflate_new(&made, table) == 0, let made = unsafe made else { return nil }
        unsafe deflater = made
    }

    deinit {
        unsafe nghttp2_hd_deflate_del(deflater)
    }

    /// The table may hold so many bytes from the next section on, and never more than it was made with.
    public func setTable(_ size: Int) {
        unsafe nghttp2_hd_deflate_change_table_size(deflater, size)
    }

    /// Bytes of the field block of these fields, whose names are in lower case. Nil beyond the limit.
    ///
    /// - Parameter areNeverIndexed: no table may hold them (RFC 7541 §6.2.3).
    public func size(of fields: [(name: [UInt8], value: [UInt8])], areNeverIndexed: Bool = false) -> Int? {
        var bytes: [UInt8] = []
        for field in fields {
            bytes += field.name
            bytes += field.value
        }
        guard bytes.count <= HPACKDeflater.largestSection else { return nil }
        return unsafe bytes.withUnsafeMutableBufferPointer { text in unsafe compress(text, fields, areNeverIndexed) }
    }

    private func compress(
        _ text: UnsafeMutableBufferPointer<UInt8>, _ fields: [(name: [UInt8], value: [UInt8])], _ areNeverIndexed: Bool
    ) -> Int? {
        var offset = 0
        var list: [nghttp2_nv] = unsafe []
        for field in fields {
            var pair = unsafe nghttp2_nv()
            unsafe pair.name = text.baseAddress.map { unsafe $0 + offset }
            unsafe pair.namelen = field.name.count
            unsafe pair.value = text.baseAddress.map { unsafe $0 + offset + field.name.count }
            unsafe pair.valuelen = field.value.count
            if areNeverIndexed { unsafe pair.flags = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) }
            unsafe list.append(pair)
            offset += field.name.count + field.value.count
        }
        return unsafe list.withUnsafeMutableBufferPointer { list in
            let bound = unsafe nghttp2_hd_deflate_bound(deflater, list.baseAddress, list.count)
            if room.count < bound { room = [UInt8](repeating: 0, count: bound) }
            let size = unsafe room.withUnsafeMutableBufferPointer { room in
                unsafe nghttp2_hd_deflate_hd(deflater, room.baseAddress, room.count, list.baseAddress, list.count)
            }
            return size < 0 ? nil : size
        }
    }
}
