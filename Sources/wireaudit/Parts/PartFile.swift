import WireCapture
import WireComparison
import WireLogs
import WireRecords
import WireReport

/// Partial results as files.
enum PartFile {
    enum Content {
        case part(PartialResult)
        /// What is wrong, with the path, and the status that a command ends with.
        case failed(String, ExitStatus)
    }

    private static let beginning = Array("{\"schema\":\"wireaudit.partial/".utf8)

    /// Whether the file is a partial result, by its beginning. What a pipe with a name brings is a capture.
    static func isPart(_ path: String) -> Bool {
        if path == "-" { return InputFile.firstBytesOfStandardInput(beginning.count) == beginning }
        guard System.fileKind(path) == .regular, let content = LogFile(path: path).next() else { return false }
        return content.starts(with: beginning)
    }

    static func read(_ path: String) -> Content {
        let file = LogFile(path: path)
        let reader = JSONReader(pieces: { file.next() })
        var problem = ""
        do throws(PartialError) {
            var part = try PartialResult(json: reader)
            try part.check(version: toolVersion)
            guard part.ledger.balanced else {
                let why = part.ledger.contradictions.joined(separator: "; ")
                throw PartialError(message: "its ledger does not balance, so it was changed: \(why)")
            }
            return .part(part)
        } catch {
            problem = error.message
        }
        if let fault = file.openingFault { return .failed("cannot open \(path): \(fault)", .noInput) }
        if let fault = file.fault {
            return .failed("cannot read \(path) to its end: \(fault)", file.hasReadingFault ? .noInput : .data)
        }
        return .failed("\(path): \(problem)", .data)
    }

    /// Ends the program where it cannot be read.
    static func needed(_ path: String) -> PartialResult {
        switch read(path) {
        case .failed(let message, let status): Console.stop(printable(message), status)
        case .part(let part): return part
        }
    }

    /// Day of the first packet by UTC; nil without packets.
    static func day(of part: PartialResult) -> String? {
        part.firstPacket.map { CalendarTime(nanoseconds: $0).date }
    }

    /// Why a part cannot be merged with those before it, in words.
    static func words(_ refusal: PartialResult.Refusal) -> String {
        switch refusal {
        case .otherReport: "it is a part of another report than the parts before it: accuracy and audit cannot be one"
        case .otherChoice(let name):
            "it was made with another --\(name) than the parts before it; make all parts with the same options"
        case .sameSession(let name):
            "its session '\(name)' is in an earlier part; give each session once; --session names recordings that look alike"
        case .tooLarge: "with the parts before it its counts are larger than those of any captures"
        }
    }

    /// Options of a merged report.
    static func options(_ merged: PartialResult, _ invocation: Invocation) -> ReportOptions {
        var own = invocation
        own.take(partialChoices: merged.choices)
        var options = own.reportOptions
        options.files = []
        options.merged = merged.merged
        options.hasChosenSources =
            merged.choices["estimators"] != ["standard"] || !merged.accuracy.logs.isEmpty
        return options
    }
}
