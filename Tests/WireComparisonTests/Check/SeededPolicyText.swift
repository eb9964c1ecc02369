import WireTesting

/// Lines made of the words of policies and of nonsense.
struct SeededPolicyText {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func text() -> String {
        let words = [
            "bias", "error", "p90-error", "coverage", "wire", "wire-per-call", "<=", ">=", "<", "5%", "200 B", "98%",
            "of", "calls", "bytes", "api", "source", "up", "down", "against", "message", "wire", "min-calls", "7",
            "baseline", "within", "\"", "\"a b\"", "\"a\\\"b\"", "#", "\\", "*", "é", "\u{0}", "\n", "%", "B", "1e5",
        ]
        let valid = ["bias <= 5%", "error <= 20 B up", "coverage >= 1% of bytes", "baseline \"a b\" within 2%"]
        var text = random.oneIn(3) ? "" : random.element(valid)
        for _ in 0..<random.below(8) { text += (random.oneIn(5) ? "" : " ") + random.element(words) }
        return text
    }
}
