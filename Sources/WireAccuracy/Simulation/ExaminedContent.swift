import WireCore
import WireNative

/// A body on its way through an examiner: pieces go to a worker, facts come back.
///
/// `buffer` and `handedOver` belong to the engine's thread; everything else is constant or locked.
final class ExaminedContent: ExaminedBody, @unchecked Sendable {
    /// What is to be done with a body.
    struct Task: Sendable, Hashable {
        var codings: [ContentCoding] = []
        /// Undo the codings: for the decoded size, text, or a response's gzip.
        var decodes = false
        /// Gzip the decoded content.
        var compressesDecoded = false
        /// Gzip the content as it was sent.
        var compressesContent = false
        var checksText = false
        /// Measure text as a string of JavaScript.
        var measuresString = false
        /// Gzip the content, which has no coding, to see what it would save.
        var gzips = false
        /// Make a digest of the content as it was sent.
        var digests = false

        var isEmpty: Bool { !decodes && !compressesContent && !checksText && !gzips && !digests }
    }

    enum Outcome: Sendable {
        case pending
        case known(BodyFacts)
        /// An equal body has, or will have, the facts.
        case same(ExaminedContent)
    }

    let task: Task
    /// Worker that takes all pieces.
    let worker: Int
    /// Coded bytes not yet handed over.
    var buffer: [UInt8] = []
    var handedOver = 0
    private let outcome = Guarded(Outcome.pending)
    private let pool: WorkerPool

    init(_ task: Task, worker: Int, pool: WorkerPool) {
        self.task = task
        self.worker = worker
        self.pool = pool
    }

    func settle(_ result: Outcome) { outcome.withLock { $0 = result } }

    /// Waits for the worker where it must.
    var facts: BodyFacts {
        switch outcome.withLock({ $0 }) {
        case .known(let facts): return facts
        case .same(let other): return other.facts
        case .pending: pool.wait(worker)
        }
        switch outcome.withLock({ $0 }) {
        case .known(let facts): return facts
        case .same(let other): return other.facts
        case .pending: return BodyFacts()
        }
    }
}

/// The state of one body inside its worker: decoder, compressor, text check.
final class ContentAnalysis {
    private let task: ExaminedContent.Task
    private let tools: ContentTools
    private let outputLimit: Int
    private var decoder: BodyDecoder?
    private var measure: GzipMeasure?
    private var gzip: GzipMeasure?
    private var digest: ContentDigest?
    private var text = UTF8Check()
    private var string = StringLength()

    /// Decoded bytes so far.
    var decodedSize: Int { decoder?.decodedSize ?? 0 }

    init(_ task: ExaminedContent.Task, tools: ContentTools, outputLimit: Int) {
        self.task = task
        self.tools = tools
        self.outputLimit = outputLimit
        if task.decodes { decoder = tools.decoder(task.codings, outputLimit: outputLimit) }
        if task.compressesDecoded || task.compressesContent { measure = tools.compressor() }
        if task.gzips { gzip = tools.compressor() }
        if task.digests { digest = ContentDigest() }
    }

    func take(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        if task.compressesContent { compress(span) }
        gzip?.consume(span)
        digest?.consume(span)
        guard let decoder else {
            readText(span)
            return
        }
        decoder.onContent = { content in
            if self.task.compressesDecoded { self.compress(content) }
            self.readText(content)
        }
        decoder.consume(span)
        decoder.onContent = nil
    }

    private func readText(_ bytes: RawSpan) {
        if task.checksText { text.consume(bytes) }
        if task.measuresString { string.consume(bytes) }
    }

    private func compress(_ bytes: RawSpan) { measure?.consume(bytes) }

    func finish(isWhole: Bool) -> BodyFacts {
        var facts = BodyFacts()
        if let decoder {
            facts.limitReached = decoder.state == .limitReached
            facts.decoded = isWhole ? decoder.finish() : decoder.state == .failed ? nil : decoder.decodedSize
            if facts.limitReached { facts.decoded = nil }
        }
        let isKnown = decoder == nil || facts.decoded != nil
        if task.checksText, isKnown { facts.isText = text.isText }
        if task.measuresString, isKnown, isWhole, text.isText { facts.string = string }
        if let measure {
            if task.compressesContent || isKnown { facts.recompressed = measure.finish() }
            tools.giveBack(measure)
        }
        if isWhole { facts.digest = digest?.value }
        if let gzip {
            facts.gzipped = isWhole ? gzip.finish() : nil
            tools.giveBack(gzip)
        }
        if let decoder { tools.giveBack(decoder) }
        return facts
    }
}

/// Decoders and compressors of one worker, used again.
final class ContentTools {
    private static let spareWindow = 256 << 10
    private var decoders: [BodyDecoder] = []
    private var compressors: [GzipMeasure] = []

    func decoder(_ codings: [ContentCoding], outputLimit: Int) -> BodyDecoder {
        guard let used = decoders.popLast() else { return BodyDecoder(codings: codings, outputLimit: outputLimit) }
        used.reset(codings: codings, outputLimit: outputLimit)
        return used
    }

    func compressor() -> GzipMeasure {
        guard let used = compressors.popLast() else { return GzipMeasure() }
        used.reset()
        return used
    }

    func giveBack(_ decoder: BodyDecoder) {
        if decoders.count < 4, decoder.windowLimit <= ContentTools.spareWindow { decoders.append(decoder) }
    }

    func giveBack(_ compressor: GzipMeasure) {
        if compressors.count < 4 { compressors.append(compressor) }
    }
}
