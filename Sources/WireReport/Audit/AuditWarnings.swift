import WireCore
import WireRecords

/// Something that the reader of a report must know before he believes it.
struct AuditWarning {
    var code = ""
    var severity = FindingSeverity.info
    var count = 0
    /// Where it was met first; nil where no file is meant.
    var file: String?
    /// Packet at which it was met first, numbered from 1; nil where none is meant.
    var packet: Int?
    var message = ""
}

/// Losses that the files themselves tell of, then the findings in the order of their table.
func warnings(of result: AuditResult) -> [AuditWarning] {
    var all: [AuditWarning] = []
    for file in result.files {
        if let dropped = file.dropped, dropped > 0 {
            all.append(
                AuditWarning(
                    code: "packets-dropped", severity: .dataLoss, count: dropped, file: file.path,
                    message: "The capturing program reported lost packets; they are not counted."))
        }
        if file.snapped > 0 {
            all.append(
                AuditWarning(
                    code: "packets-snapped", severity: .info, count: file.snapped, file: file.path,
                    message: "Packets truncated by the snap length; lengths are exact, some content is unknown."))
        }
    }
    for finding in result.findings where finding.count > 0 {
        all.append(
            AuditWarning(
                code: finding.code.code, severity: finding.code.severity, count: finding.count,
                file: finding.file.isEmpty ? nil : finding.file,
                packet: finding.packet > 0 ? finding.packet : nil,
                message: finding.code == .translated ? translation(in: result) : finding.code.sentence))
    }
    return all
}

/// Says where connections count that were captured several times.
private func translation(in result: AuditResult) -> String {
    let sentence = FindingCode.translated.sentence
    let places = result.countedPoints.map { point in
        let file = result.files.count > 1 ? point.file : ""
        let interface = point.name ?? point.interface.map { "\($0)" }
        let place = [interface.map { "interface \($0)" }, file.isEmpty ? nil : file].compactMap(\.self)
        let name = place.joined(separator: " of ")
        let isAlone = name.isEmpty || result.countedPoints.count == 1
        return isAlone ? name : "\(name) (\(counted(point.connections, "connection")))"
    }
    guard !places.isEmpty, !places.contains("") else { return sentence }
    return "\(sentence.dropLast()): \(listed(places, most: 4))."
}
