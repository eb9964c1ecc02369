/// How a merged report came about.
public struct MergedSessions: Sendable, Equatable {
    public var sessions: Int
    /// Those of the same fleet that could not be audited and are in no figure.
    public var failedSessions: Int
    /// Capture files of all sessions, and those of them that end early.
    public var files: Int
    public var damagedFiles: Int
    /// Logs that may be of another session than their capture.
    public var doubtedLogs: Int

    /// Replicates of the bootstrap over sessions.
    public static let replicates = SessionSums.replicates
    /// Sessions of a row from which on its intervals resample sessions, not calls.
    public static let fewestSessions = SessionSums.fewest

    public init(sessions: Int, failedSessions: Int = 0, files: Int, damagedFiles: Int, doubtedLogs: Int) {
        self.sessions = sessions
        self.failedSessions = failedSessions
        self.files = files
        self.damagedFiles = damagedFiles
        self.doubtedLogs = doubtedLogs
    }
}
