/// Which bytes an error or a row speaks of.
public enum Direction: String, Sendable, CaseIterable {
    case up, down
}
