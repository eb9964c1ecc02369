import Testing
import WireCore

@Suite("Records and packets that nobody could read")
struct HiddenPieceTests {
    /// Without the keys, what was sent in the time of an exchange holds its messages as the keys show them.
    @Test("hold the messages that keys show")
    func holdMessages() throws {
        var compared = 0
        for capture in CaptureCase.all where !capture.keys.isEmpty {
            let paths = [capture.path + "/" + (try capture.truth().capture.file)]
            let keyed = try RecordedAudit(paths, keys: capture.keys)
            let blind = try RecordedAudit(paths, keepsHiddenPieces: true)
            for exchange in keyed.exchanges where exchange.flags.isEmpty && exchange.tlsVersion != nil {
                guard let hidden = blind.connections[exchange.connection].hidden, hidden.isComplete,
                    let end = exchange.responseEnd
                else { continue }
                compared += 1
                for (costs, isFromClient) in [(exchange.requestCosts, true), (exchange.responseCosts, false)] {
                    let content = hidden.pieces.reduce(0) { sum, piece in
                        // A WINDOW_UPDATE frame of 13 bytes may follow the answer, alone or in a record of other calls.
                        if piece.time > end, piece.isFromClient == isFromClient {
                            return sum + min(Int(piece.content), 13)
                        }
                        let isInTime = piece.time >= exchange.time && piece.time <= end
                        return sum + (isInTime && piece.isFromClient == isFromClient ? Int(piece.content) : 0)
                    }
                    #expect(content >= costs.message, "\(capture.name) \(exchange.connection).\(exchange.exchange)")
                }
            }
        }
        #expect(compared > 100)
    }

    @Test("are complete where the capture has the whole connection")
    func areComplete() throws {
        var complete = 0
        for capture in CaptureCase.all {
            let paths = [capture.path + "/" + (try capture.truth().capture.file)]
            for record in try RecordedAudit(paths, keepsHiddenPieces: true).connections {
                guard let hidden = record.hidden else { continue }
                let isWhole =
                    record.counts.up.unseen == 0 && record.counts.down.unseen == 0
                    && record.flags.isDisjoint(with: [.gap, .snapped, .noStart, .drops])
                #expect(hidden.isComplete == isWhole, "\(capture.name) \(record.connection)")
                if hidden.isComplete { complete += 1 }
            }
        }
        #expect(complete > 20)
    }

    @Test("are kept only where somebody asks")
    func areOptional() throws {
        let capture = try #require(CaptureCase.all.first { $0.name == "tls-nokey" })
        let audit = try RecordedAudit([capture.path + "/" + (try capture.truth().capture.file)])
        #expect(audit.connections.allSatisfy { $0.hidden == nil })
    }
}
