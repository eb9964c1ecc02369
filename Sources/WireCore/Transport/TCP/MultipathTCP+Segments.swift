/// Multipath TCP as the segments of a connection bring it.
extension MultipathTCP {
    /// That of a connection's first packet; nil where it is plain TCP.
    @inline(never)
    static func find(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) -> MultipathTCP? {
        guard segment.headerLength > 20,
            let multipath = MultipathTCP(
                options(segment, transport), hasStart: segment.flags.contains(.syn))
        else { return nil }
        // Its bytes are parts of messages whose other parts went over other subflows.
        if multipath.isJoined { streams.markIncomplete(isJoined: true, &shard.streams) }
        return multipath
    }

    /// Takes a segment with SYN.
    func receiveSynchronize(_ segment: Segment, _ transport: RawSpan) {
        consumeSynchronize(MultipathTCP.options(segment, transport), segment.direction)
    }

    /// Looks whether the segment's bytes are those that follow in the connection.
    @inline(never)
    func receive(
        _ segment: Segment, _ transport: RawSpan, _ start: StreamPosition, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        let wasIncomplete = isIncomplete || isJoined
        let isIncomplete = consume(
            MultipathTCP.options(segment, transport), isWhole: transport.byteCount >= segment.headerLength, at: start,
            payload: segment.payload, segment.direction)
        if isIncomplete, !wasIncomplete { streams.markIncomplete(isJoined: false, &shard.streams) }
    }

    /// What was captured of the options.
    @_lifetime(copy transport)
    private static func options(_ segment: Segment, _ transport: RawSpan) -> RawSpan {
        let end = min(segment.headerLength, transport.byteCount)
        return transport.extracting(min(20, end)..<end)
    }
}
