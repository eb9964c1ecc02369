import WireAccuracy
import WireReport

/// Partial results as files.
enum PartFile {
    enum Content {
        case part(PartialResult)
        /// What is wrong, with the path, and the status that a command ends with.
        case failed(String, ExitStatus)
    }

    /// Whether the file is a partial result, by its beginning. What a pipe brings is a capture.
    static func isPart(_ path: String) -> Bool {
        guard path != "-", System.fileKind(path) == .regular, let content = LogFile(path: path).next() else {
            return false
        }
        return content.starts(with: Array("{\"schema\":\"wireaudit.partial/".utf8))
    }

    static func read(_ path: String) -> Content {
        let file = LogFile(path: path)
        let reader = JSONReader(pieces: { file.next() })
        var problem = ""
        do throws(PartialError) {
            return .part(try PartialResult(json: reader))
        } catch {
            problem = error.message
        }
        if let fault = file.openingFault { return .failed("cannot open \(path): \(fault)", .noInput) }
        if let fault = file.fault {
            return .failed("cannot read \(path) to its end: \(fault)", file.hasReadingFault ? .noInput : .data)
        }
        return .failed("\(path): \(problem)", .data)
    }

    /// Why a part cannot be merged with those before it, in words.
    static func words(_ refusal: PartialResult.Refusal) -> String {
        switch refusal {
        case .otherReport: "it is a part of another report than the parts before it: accuracy and audit cannot be one"
        case .otherChoice(let name):
            "it was made with another --\(name) than the parts before it; make all parts with the same options"
        case .sameSession(let name): "its session '\(name)' is in an earlier part; give each session once"
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
