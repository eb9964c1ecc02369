import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords

/// A calibration as one line of JSON, schema `wireaudit.calibration/2`. Constants are bytes to add; `spread` is the
/// standard deviation of single calls, of the fallback that of the APIs. `message` is of completed calls, `failed` of
/// failed ones; `reason` says why there are none.
public func calibrationJSON(_ calibration: Calibration) -> OutputBuffer {
    var report = CalibrationJSON()
    report.write(calibration)
    return report.json.finished()
}

/// Writes the objects of a calibration, each by a function of its own.
private struct CalibrationJSON: ~Copyable {
    var json = JSONFields()

    mutating func write(_ calibration: Calibration) {
        json.beginElement()
        json.constant("schema", "wireaudit.calibration/2")
        json.text("version", toolVersion)
        conditions(calibration.conditions)
        json.begin("all")
        for direction in Direction.allCases { total(direction, calibration[direction]) }
        json.end()
        json.beginArray("apis")
        for api in calibration.apis {
            json.beginElement()
            json.text("api", api.name)
            for direction in Direction.allCases {
                guard json.begin(name: direction.rawValue, isKnown: api[direction] != nil), let side = api[direction]
                else {
                    continue
                }
                self.side(side)
                json.end()
            }
            json.end()
        }
        json.endArray()
        json.end()
        json.endLine()
    }

    private mutating func conditions(_ conditions: CalibrationConditions) {
        json.begin("conditions")
        json.text("source", conditions.source)
        json.text("kind", conditions.format == nil ? "simulated" : "log")
        json.text("format", conditions.format?.rawValue)
        json.words("files", conditions.files)
        json.text("layer", conditions.countsLinkBytes ? "link" : "ip")
        json.boolean("undo_offload", conditions.undoesOffload)
        json.seconds("first", conditions.first)
        json.seconds("last", conditions.last)
        json.seconds("split", conditions.split)
        for (name, counts) in [("http", conditions.http), ("tls", conditions.tls)] {
            json.begin(name: name)
            for (version, count) in counts.sorted(by: { $0.key < $1.key }) { json.integer(name: version, count) }
            json.end()
        }
        json.text("redirects", conditions.redirects)
        json.text("formula", conditions.formula)
        json.integer("figures", conditions.figures)
        json.integer("recorded", conditions.recorded)
        json.decimal(
            "share", conditions.figures > 0 ? Double(conditions.recorded) / Double(conditions.figures) : nil, places: 6)
        json.integer("fewest_calls", Calibration.fewestCalls)
        json.integer("fewest_calls_in_all", Calibration.fewestCallsInAll)
        json.end()
    }

    private mutating func total(_ direction: Direction, _ total: Calibration.Total?) {
        guard json.begin(name: direction.rawValue, isKnown: total != nil), let total else { return }
        side(total.all)
        calibrated("set_up", total.setup)
        json.end()
    }

    private mutating func side(_ side: Calibration.Side) {
        json.integer("fitted_calls", side.calls)
        calibrated("message", side.constants?.message)
        calibrated("transport", side.constants?.transport)
        calibrated("failed", side.failed)
        json.text("reason", side.reason)
        json.begin("causes")
        for cause in ErrorCause.allCases { side.causes[cause].map { json.decimal(name: cause.name, $0, places: 3) } }
        json.end()
        guard json.begin("held_out", isKnown: side.heldOut != nil), let heldOut = side.heldOut else { return }
        json.integer("calls", heldOut.calls)
        errors("message", heldOut.message)
        errors("wire", heldOut.wire)
        json.end()
    }

    private mutating func calibrated(_ name: StaticString, _ constant: Calibration.Constant?) {
        guard json.begin(name, isKnown: constant != nil), let constant else { return }
        json.decimal("mean", constant.mean, places: 6)
        json.integer("n", constant.count)
        json.decimal("spread", constant.deviation, places: 3)
        json.end()
    }

    private mutating func errors(_ name: StaticString, _ errors: Calibration.HeldOut.Errors) {
        json.begin(name)
        json.integer("truth_total", errors.truth)
        json.decimal("error_before", Double(errors.before), places: 3)
        json.decimal("error_with_fallback", errors.withFallback, places: 3)
        json.decimal("error_after", errors.after, places: 3)
        for (name, error) in [
            ("relative_before", Double(errors.before)), ("relative_with_fallback", errors.withFallback),
            ("relative_after", errors.after),
        ] {
            json.decimal(name: name, errors.truth > 0 ? error / Double(errors.truth) : nil, places: 6)
        }
        json.end()
    }
}
