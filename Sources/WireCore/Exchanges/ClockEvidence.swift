/// What a connection shows of the clocks by which its two directions were captured.
///
/// A tap with two ports, or two captures that were merged, may have a clock for each direction. An acknowledgment comes
/// after the bytes that it acknowledges, so the time between the two is an upper bound of what its clock may be ahead, and
/// the same the other way round gives a lower bound. Where the bounds exclude zero the clocks differ for certain, whatever
/// the way of the packets took.
struct ClockEvidence: Sendable {
    /// So many answers before their cause prove that clocks differ. A single one may be an answer to a first copy that the
    /// capture lost.
    private static let proof = 2

    /// Of each direction the shortest time from a segment to its acknowledgment: nanoseconds.
    private var shortest = DirectionPair(repeating: Int64.max)
    /// How often that was below zero.
    private var negatives = DirectionPair(repeating: 0)

    /// A segment of the direction was acknowledged after this time. Returns whether this proves that clocks differ, for the
    /// first time.
    mutating func note(_ delay: Int64, of direction: Direction) -> Bool {
        if delay < shortest[direction] { shortest[direction] = delay }
        guard delay < 0 else { return false }
        negatives[direction] += 1
        return negatives[direction] == ClockEvidence.proof && negatives[direction.opposite] < ClockEvidence.proof
    }

    /// How far the clock of a direction is ahead of that of the other one: what causality permits, nanoseconds. Nil where
    /// they may agree, where no single difference explains all, and where only one bound is known.
    func lead(of direction: Direction) -> ClosedRange<Int64>? {
        let other = direction.opposite
        guard max(negatives[0], negatives[1]) >= ClockEvidence.proof, shortest[0] < .max, shortest[1] < .max,
            -shortest[direction] <= shortest[other]
        else { return nil }
        return -shortest[direction]...shortest[other]
    }
}

extension ClosedRange<Int64> {
    /// This interval for an observed time that a difference of clocks in `lead` is part of; nil where none is possible.
    static func corrected(_ observed: Int64, by lead: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        let upper = observed - lead.lowerBound
        return upper < 0 ? nil : Swift.max(observed - lead.upperBound, 0)...upper
    }
}
