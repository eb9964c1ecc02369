/// Undoes the content codings of a message body to learn its decoded size. The decoded bytes themselves pass by, so
/// memory stays at a few buffers whatever the body decodes to.
public final class BodyDecoder {
    public enum State: Sendable {
        /// More input may come.
        case active
        /// Every coding's stream is complete. Input that follows must be a further gzip member or zstd frame.
        case ended
        /// The input is not what the codings say; `decodedSize` is what came out before.
        case failed
        /// More than the limit came out.
        case limitReached
    }

    /// Longest list of codings that is undone. Each one costs memory; a sender has no use for more than two.
    public static let codingLimit = 8

    public private(set) var state = State.active
    /// Bytes out of the last stage so far.
    public private(set) var decodedSize = 0

    /// Most memory that the stages can come to need, bytes: their windows.
    public private(set) var windowLimit = 0
    /// Shown each piece of decoded content; pieces end where they happen to.
    public var onContent: ((RawSpan) -> Void)?
    private var outputLimit = 0
    /// In the order of undoing: the first takes the body's bytes.
    private var stages: [DecoderStage] = []

    /// - Parameters:
    ///   - codings: in the order they were applied, as `Content-Encoding` lists them; undone from last to first.
    ///   - outputLimit: largest decoded size, bytes. It holds for what passes between two codings too.
    public init(codings: [ContentCoding], outputLimit: Int) {
        reset(codings: codings, outputLimit: outputLimit)
    }

    /// Makes the object ready for another body. Stages of the same codings are used again.
    public func reset(codings: [ContentCoding], outputLimit: Int) {
        self.outputLimit = outputLimit
        decodedSize = 0
        state = .active
        guard codings.count <= Self.codingLimit else {
            state = .failed
            return
        }
        var spare = stages
        stages = codings.reversed().map { coding in
            guard let index = spare.firstIndex(where: { $0.coding == coding }) else { return DecoderStage(coding) }
            return spare.remove(at: index)
        }
        windowLimit = codings.reduce(0) { $0 + $1.windowLimit }
        for stage in stages where !stage.restart() { state = .failed }
    }

    /// About what the stages hold now, bytes: a window fills as bytes come out.
    public var heldBytes: Int { min(windowLimit, decodedSize + (64 << 10)) }

    /// Takes the next bytes of the body, however they are split.
    public func consume(_ bytes: RawSpan) {
        guard state == .active || state == .ended, !bytes.isEmpty else { return }
        state = .active
        unsafe bytes.withUnsafeBytes { unsafe pass($0, to: 0) }
        if state == .active, !stages.isEmpty, stages.allSatisfy(\.hasEnded) { state = .ended }
    }

    /// The decoded size when all input is in and every stream ended properly; else nil. An empty body is empty in
    /// every coding: nothing was sent that could be wrong.
    public func finish() -> Int? {
        guard state == .active || state == .ended else { return nil }
        return stages.allSatisfy { $0.isUntouched || $0.hasEnded } ? decodedSize : nil
    }

    private func pass(_ input: UnsafeRawBufferPointer, to index: Int) {
        guard index < stages.count else {
            decodedSize += input.count
            if decodedSize > outputLimit {
                state = .limitReached
            } else if let onContent {
                onContent(unsafe RawSpan(_unsafeBytes: input))
            }
            return
        }
        let stage = stages[index]
        var rest = unsafe input
        while state == .active {
            guard stage.accepts(rest.count) else {
                state = .failed
                return
            }
            let step = unsafe stage.step(rest)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
            if step.produced > 0 {
                unsafe pass(stage.output(step.produced), to: index + 1)
                if state == .active, stage.producedSize > outputLimit { state = .limitReached }
            }
            guard state == .active else { return }
            let isUsedUp = unsafe rest.isEmpty
            switch step.outcome {
            case .needsRoom where step.produced > 0, .ended where !isUsedUp: continue
            case .needsInput where isUsedUp, .ended: return
            default: state = .failed
            }
        }
    }
}
