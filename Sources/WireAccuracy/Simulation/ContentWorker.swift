import WireCore
import WireNative

/// What all workers have done.
final class WorkCount: Sendable {
    let sum = Guarded(ContentWork())
}

/// Examines bodies on one thread, several at a time when long ones come in pieces. Its thread alone calls it.
final class ContentWorker: @unchecked Sendable {
    private let work: WorkCount
    private let outputLimit: Int
    private let tools = ContentTools()
    private var open: [ObjectIdentifier: ContentAnalysis] = [:]

    init(_ work: WorkCount, outputLimit: Int) {
        self.work = work
        self.outputLimit = outputLimit
    }

    func forget(_ content: ExaminedContent) { open[ObjectIdentifier(content)] = nil }

    func examine(_ content: ExaminedContent, _ bytes: [UInt8], isFirst: Bool, isLast: Bool, isWhole: Bool) {
        let key = ObjectIdentifier(content)
        let analysis =
            isFirst ? ContentAnalysis(content.task, tools: tools, outputLimit: outputLimit) : open[key]
        guard let analysis else { return }
        let decodedBefore = analysis.decodedSize
        analysis.take(bytes)
        open[key] = isLast ? nil : analysis
        let decoded = analysis.decodedSize - decodedBefore
        let facts = isLast ? analysis.finish(isWhole: isWhole) : nil
        if let facts { content.settle(.known(facts)) }
        work.sum.withLock { sum in
            sum.codedBytes += bytes.count
            sum.decodedBytes += decoded
            if let facts { sum.count(content.task, facts) }
        }
    }
}

extension ContentWork {
    fileprivate mutating func count(_ task: ExaminedContent.Task, _ facts: BodyFacts) {
        if task.decodes, facts.decoded != nil { decodedBodies += 1 }
        if task.decodes, facts.decoded == nil { undecodable += 1 }
        if let size = facts.recompressed {
            recompressedBodies += 1
            recompressedBytes += size
        }
    }
}
