/// What frames consist of, and frames that belong together.
extension ClaimTrace {
    /// Takes what a frame consists of. `frame`: its number, from 1.
    func note(_ parts: FrameParts, frame: Int) {
        guard frame > 0, frame <= limit else {
            isFull = true
            return
        }
        if self.parts.count < frame {
            self.parts.append(contentsOf: repeatElement(.absent, count: frame - self.parts.count))
        }
        self.parts[frame - 1] = parts
    }

    /// To whom the frame belongs, if to no connection.
    func noteOther(_ other: FrameParts.Other?, frame: Int) {
        if let other, parts.indices.contains(frame - 1) { parts[frame - 1].other = other }
    }

    /// The frame is a connection's, as shows now.
    func disclaim(_ frame: Int) {
        if parts.indices.contains(frame - 1) { parts[frame - 1].other = nil }
    }

    /// A frame, or all frames of a datagram, were captured twice.
    func noteDuplicate(_ frame: Int) {
        for frame in joined[frame] ?? [frame] where parts.indices.contains(frame - 1) {
            parts[frame - 1] = FrameParts(whole: parts[frame - 1].total, .duplicate)
        }
    }

    /// Fragments in these frames are one datagram: what is claimed of the latest is of all of them.
    ///
    /// - Parameter tunnel: bytes of the datagram, with the headers of its fragments, that are around another IP packet.
    func join(_ frames: [Int], tunnel: Int) {
        guard frames.count > 1, let last = frames.last else { return }
        for frame in frames { disclaim(frame) }
        // Otherwise none of them has claims that fit.
        guard frames.allSatisfy({ parts.indices.contains($0 - 1) }) else { return }
        joined[last] = frames
        // The inner packet begins in the first fragment; of the others only the headers are around it.
        var left = tunnel
        for frame in frames.dropFirst() { parts[frame - 1].tunnel(&left, headerOnly: true) }
        for frame in frames { parts[frame - 1].tunnel(&left, headerOnly: false) }
    }

    // MARK: DNS

    /// A message of a lookup that a connection may pay for.
    func noteLookup(_ lookup: Int?, frame: Int, _ bytes: Int, isAnswer: Bool) {
        guard let lookup, parts.indices.contains(frame - 1) else { return }
        lookups[lookup, default: []].append((frame, bytes, isAnswer))
    }

    /// Messages of one cost are part of another one from here on.
    func joinLookup(_ lookup: Int, to other: Int) {
        lookups[other, default: []] += lookups.removeValue(forKey: lookup) ?? []
    }

    /// The connection pays for a lookup.
    func pay(_ lookup: Int, _ client: Direction) {
        for message in lookups.removeValue(forKey: lookup) ?? [] {
            disclaim(message.frame)
            post(0, .setupDNS, message.bytes, frame: message.frame, message.isAnswer ? client.opposite : client)
        }
    }
}
