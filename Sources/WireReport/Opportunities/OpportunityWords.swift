import WireCore
import WireOpportunities
import WireRecords

/// How reports speak of opportunities.
extension Opportunity.Kind {
    /// What to do, as a heading.
    package var title: String {
        switch self {
        case .freshRepeat: "Use responses again while they are fresh"
        case .noRevalidation: "Ask whether content has changed"
        case .missingValidator: "Send an ETag with responses"
        case .uncompressedBody: "Compress response bodies"
        case .uncompressedStream: "Compress responses that are streamed"
        case .compressionOffer: "Ask for compressed responses"
        case .uncompressedRequest: "Compress request bodies"
        case .connectionReuse: "Keep connections open"
        case .fullHandshake: "Resume TLS sessions"
        case .sessionResumption: "Use TLS session tickets"
        case .certificateChain: "Send only certificates that clients need"
        case .certificateCompression: "Compress certificates"
        case .certificateOffer: "Offer certificate compression"
        case .ellipticCertificates: "Use elliptic-curve certificates"
        case .redirect: "Ask for the final URL"
        case .headerCompression: "Compress header fields with HTTP/2"
        case .retransmission: "Find out why packets were sent again"
        case .smallCalls: "Combine small calls"
        case .polling: "Poll less often"
        }
    }

    /// What was seen, and what the figure takes for granted.
    package var explanation: String {
        switch self {
        case .freshRepeat:
            "Fetched again with equal content while Cache-Control or Expires still allowed the copy. Assumes that an "
                + "address is one client, which has a cache."
        case .noRevalidation:
            "Fetched again in full with equal content. Where the client did not ask with If-None-Match or "
                + "If-Modified-Since, it has to; where it did, the server has to answer 304. Assumes that an address is one "
                + "client, and that a 304 has the same header fields."
        case .missingValidator:
            "Fetched again in full with equal content, and without ETag and Last-Modified no client can ask whether it has "
                + "changed. Supposes that the server sends one and clients ask."
        case .uncompressedBody:
            "Sent without Content-Encoding to clients that accept gzip, which made them so much smaller here."
        case .uncompressedStream:
            "Sent without Content-Encoding to clients that accept gzip, in packets far apart, as the content came to be. "
                + "Supposes that the server compresses each part as it sends it."
        case .compressionOffer:
            "The client did not ask for gzip with Accept-Encoding; gzip made the responses so much smaller here. Supposes "
                + "that the server compresses them when it is asked."
        case .uncompressedRequest:
            "Sent without Content-Encoding; gzip made them so much smaller here. Supposes that the server accepts gzip."
        case .connectionReuse:
            "Connections of a client to a host that idle ones could have stood in for; in HTTP/2 and HTTP/3 busy ones, too, which "
                + "have sent most header fields before. Assumes that an address is one client, that client and server keep "
                + "idle connections open for \(SetupSummary.mostIdleSeconds) s, that HTTP/3 servers, and HTTP/2 servers that "
                + "allow 100 calls at one time, allow any number, and of what was not read that a server name is one host."
        case .fullHandshake:
            "Full handshakes of clients that had a session ticket which had not expired, against the mean of resumed "
                + "handshakes with the same server."
        case .sessionResumption:
            "The certificates of full handshakes of clients that had a session ticket which had not expired, with servers of "
                + "which no connection was resumed. Supposes that these servers take their tickets back."
        case .certificateChain:
            "A root that signed itself, the same certificate again, or one that is not in the path. Assumes that clients "
                + "have the root."
        case .certificateCompression:
            "The client offered it (RFC 8879) and the server did not do it. What the offered algorithms made of the "
                + "certificates here."
        case .certificateOffer:
            "What Brotli made of certificates that came uncompressed to clients which did not offer compression (RFC 8879). "
                + "Supposes that client and server can do it."
        case .ellipticCertificates:
            "Keys and signatures of RSA against those of P-256. Supposes that all authorities in the path have such keys."
        case .redirect:
            "Answered with a redirect that the same client had got before, followed, and could remember: a permanent one, or "
                + "one that Cache-Control or Expires still allowed. Assumes that an address is one client, which has a cache."
        case .headerCompression:
            "The heads of HTTP/1 calls as an HTTP/2 encoder (nghttp2) made them here. HTTP/2 has other costs that are not "
                + "counted: frames of bodies, settings."
        case .retransmission:
            "Lost on the way, or sent again too early: one capture point cannot show which."
        case .smallCalls:
            "Calls of one API within 1 s, with more overhead than message. Supposes that one call could do for all."
        case .polling:
            "The same URL at regular intervals with equal content. Supposes that the app need not have asked."
        }
    }

    /// What is counted.
    package var noun: String { isOfConnections ? "connection" : "call" }
}

extension Opportunity {
    /// What was seen, and what the figure takes for granted.
    package var explanation: String {
        let hidden = "Of TLS that was not decrypted, encrypted parts of handshakes are not counted."
        return ([kind.explanation, serverCloses?.sentence, hidesSetup ? hidden : nil] as [String?])
            .compactMap(\.self).joined(separator: " ")
    }
}

extension Opportunity.ServerCloses {
    /// What stands against it on the side of the server.
    fileprivate var sentence: String {
        let second: Int64 = 1_000_000_000
        let time =
            shortestIdle < second
            ? "within 1 s of the last response" : "after \((shortestIdle + second / 2) / second) s without a call"
        return
            "Servers closed \(grouped(count)) of the connections to these hosts sooner, the earliest \(time): see their "
            + "keep-alive time and Connection: close."
    }
}

extension OpportunityReport {
    /// Less is spent together than each of the computed ones says: why.
    package var surplus: String? {
        let sum = opportunities.reduce(0) { $1.isComputed ? $0 + $1.bytes : $0 }
        guard computedTotal > sum else { return nil }
        return "That is more than their sum: connections with fewer calls are idle more often, and stand in for others."
    }

    /// So many stand in a report.
    private static let mostShown = 7

    package var shown: [Opportunity] { Array(opportunities.prefix(OpportunityReport.mostShown)) }

    /// The kinds behind the ones that are shown, with their bytes, for a line of text: what is computed is part of the sum.
    package var furtherKinds: String? {
        let further = opportunities.dropFirst(OpportunityReport.mostShown)
        guard !further.isEmpty else { return nil }
        let items = further.map { "\($0.kind.title) (\(grouped($0.bytes))\($0.isComputed ? "" : ", estimate"))" }
        return "Smaller ones: " + items.joined(separator: "; ") + "."
    }
}
