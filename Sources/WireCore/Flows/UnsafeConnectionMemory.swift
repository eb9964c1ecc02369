import WireNative

/// The memory of one connection's two directions, one pair for each layer.
struct UnsafeConnectionMemory {
    let assembly: UnsafePair<StreamAssembler>
    let tcp: UnsafePair<TCPDirection>
    let streams: UnsafePair<StreamDirection>
    let http1: UnsafePair<HTTP1Direction>
    let account: UnsafePair<ConnectionAccount>
    let histories: UnsafePair<UnsafeReadHistory>

    /// Makes all of it new.
    func renew() {
        for direction in Direction.both {
            assembly[direction].renew()
            tcp[direction].renew()
            streams[direction].renew()
            http1[direction].renew()
            account[direction].renew()
            histories[direction].forget()
        }
    }
}

/// The memory of all connections of a store, found by the connection's place. What serves one connection serves the next
/// one in its place.
///
/// It grows by chunks that stay where they are. See `UnsafeSlab` for why not in an array.
@safe
struct UnsafeConnectionMemoryStore: ~Copyable {
    /// A connection's memory in one piece, so that the lines of it that a packet looks at lie together.
    private struct Block {
        var assembly = (StreamAssembler(), StreamAssembler())
        var tcp = (TCPDirection(), TCPDirection())
        var streams = (StreamDirection(), StreamDirection())
        var http1 = (HTTP1Direction(), HTTP1Direction())
        var account = (ConnectionAccount(), ConnectionAccount())
    }

    @safe
    private struct Chunk {
        let blocks: UnsafeMutablePointer<Block>
        let histories: UnsafeMutablePointer<UnsafeReadHistory>
    }

    /// Connections in a chunk.
    private static let chunkSize = 16
    private var chunks = UnsafeSlab<Chunk>(capacity: 64)

    deinit {
        for index in 0..<chunks.count {
            unsafe chunks[index].blocks.deinitialize(count: UnsafeConnectionMemoryStore.chunkSize)
            unsafe chunks[index].blocks.deallocate()
            unsafe chunks[index].histories.deallocate()
        }
    }

    /// The memory of the connection in this place; new if there was none before. Places come in order.
    subscript(place: Int) -> UnsafeConnectionMemory {
        mutating get {
            if place / UnsafeConnectionMemoryStore.chunkSize == chunks.count { grow() }
            precondition(place >= 0 && place / UnsafeConnectionMemoryStore.chunkSize < chunks.count)
            let chunk = place / UnsafeConnectionMemoryStore.chunkSize
            let offset = place % UnsafeConnectionMemoryStore.chunkSize
            let block = unsafe UnsafeMutableRawPointer(chunks[chunk].blocks + offset)
            return unsafe UnsafeConnectionMemory(
                assembly: pair(block, offsets.assembly), tcp: pair(block, offsets.tcp),
                streams: pair(block, offsets.streams),
                http1: pair(block, offsets.http1), account: pair(block, offsets.account),
                histories: UnsafePair(chunks[chunk].histories + 2 * offset))
        }
    }

    /// Where the pairs stand in a block.
    private struct Offsets {
        let assembly = MemoryLayout<Block>.offset(of: \.assembly) ?? 0
        let tcp = MemoryLayout<Block>.offset(of: \.tcp) ?? 0
        let streams = MemoryLayout<Block>.offset(of: \.streams) ?? 0
        let http1 = MemoryLayout<Block>.offset(of: \.http1) ?? 0
        let account = MemoryLayout<Block>.offset(of: \.account) ?? 0
    }

    /// Asked for once: key paths take time.
    private let offsets = Offsets()

    /// Two elements of a block, which stand one behind the other.
    private func pair<Element>(_ block: UnsafeMutableRawPointer, _ offset: Int) -> UnsafePair<Element> {
        unsafe UnsafePair((block + offset).assumingMemoryBound(to: Element.self))
    }

    private mutating func grow() {
        let count = UnsafeConnectionMemoryStore.chunkSize
        let chunk = unsafe Chunk(blocks: .allocate(capacity: count), histories: .allocate(capacity: 2 * count))
        for index in 0..<count {
            unsafe initialize(UnsafeMutableRawPointer(chunk.blocks + index))
            unsafe (chunk.histories + 2 * index).initialize(repeating: UnsafeReadHistory(), count: 2)
        }
        chunks.append(chunk)
    }

    /// Field by field: making a block beside it and moving that here takes twice as long.
    private func initialize(_ block: UnsafeMutableRawPointer) {
        unsafe initialize(block, offsets.assembly, StreamAssembler())
        unsafe initialize(block, offsets.tcp, TCPDirection())
        unsafe initialize(block, offsets.streams, StreamDirection())
        unsafe initialize(block, offsets.http1, HTTP1Direction())
        unsafe initialize(block, offsets.account, ConnectionAccount())
    }

    @inline(__always)
    private func initialize<Element>(
        _ block: UnsafeMutableRawPointer, _ offset: Int, _ element: @autoclosure () -> Element
    ) {
        let first = unsafe (block + offset).assumingMemoryBound(to: Element.self)
        unsafe first.initialize(to: element())
        unsafe (first + 1).initialize(to: element())
    }

    /// Brings the memory of a connection into the processor's cache.
    @inline(__always)
    func prefetch(_ place: Int) {
        let chunk = place / UnsafeConnectionMemoryStore.chunkSize
        guard place >= 0, chunk < chunks.count else { return }
        let offset = place % UnsafeConnectionMemoryStore.chunkSize
        unsafe Prefetch.lines(chunks[chunk].blocks + offset, byteCount: MemoryLayout<Block>.stride)
    }

    /// Brings what a packet of this direction looks at: all but the sums of the connection's costs, which stand last, and
    /// where bytes that are read are kept.
    @inline(__always)
    func prefetch(_ place: Int, _ sender: Direction) {
        let chunk = place / UnsafeConnectionMemoryStore.chunkSize
        guard place >= 0, chunk < chunks.count else { return }
        let offset = place % UnsafeConnectionMemoryStore.chunkSize
        unsafe Prefetch.lines(
            chunks[chunk].blocks + offset,
            byteCount: MemoryLayout<Block>.stride - 2 * MemoryLayout<ConnectionAccount>.stride + 64)
        unsafe Prefetch.lines(chunks[chunk].histories + 2 * offset + sender.index, byteCount: 64)
    }
}
