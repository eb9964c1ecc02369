import WireAccuracy
import WireCore

/// A calibration as one line of JSON, schema `wireaudit.calibration/1`. Constants are bytes to add; `spread` is the
/// standard deviation of single calls.
public func calibrationJSON(_ calibration: Calibration) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.constant("schema", "wireaudit.calibration/1")
    json.text("version", toolVersion)
    json.conditions(calibration.conditions)
    json.begin("all")
    for direction in Direction.allCases { json.total(direction, calibration[direction]) }
    json.end()
    json.beginArray("apis")
    for api in calibration.apis {
        json.beginElement()
        json.text("api", api.name)
        for direction in Direction.allCases {
            guard json.begin(name: direction.rawValue, isKnown: api[direction] != nil), let side = api[direction] else {
                continue
            }
            json.side(side)
            json.end()
        }
        json.end()
    }
    json.endArray()
    json.end()
    json.endLine()
    return json.buffer
}

extension JSONFields {
    fileprivate mutating func conditions(_ conditions: CalibrationConditions) {
        begin("conditions")
        text("source", conditions.source)
        text("kind", conditions.format == nil ? "simulated" : "log")
        text("format", conditions.format?.rawValue)
        words("files", conditions.files)
        text("layer", conditions.countsLinkBytes ? "link" : "ip")
        boolean("undo_offload", conditions.undoesOffload)
        seconds("first", conditions.first)
        seconds("last", conditions.last)
        seconds("split", conditions.split)
        for (name, counts) in [("http", conditions.http), ("tls", conditions.tls)] {
            begin(name: name)
            for (version, count) in counts.sorted(by: { $0.key < $1.key }) { integer(name: version, count) }
            end()
        }
        integer("figures", conditions.figures)
        integer("recorded", conditions.recorded)
        decimal(
            "share", conditions.figures > 0 ? Double(conditions.recorded) / Double(conditions.figures) : nil, places: 6)
        integer("fewest_calls", Calibration.fewestCalls)
        integer("fewest_calls_in_all", Calibration.fewestCallsInAll)
        end()
    }

    fileprivate mutating func total(_ direction: Direction, _ total: Calibration.Total?) {
        guard begin(name: direction.rawValue, isKnown: total != nil), let total else { return }
        side(total.all)
        calibrated("set_up", total.setup)
        end()
    }

    fileprivate mutating func side(_ side: Calibration.Side) {
        integer("fitted_calls", side.calls)
        calibrated("message", side.constants?.message)
        calibrated("transport", side.constants?.transport)
        guard begin("held_out", isKnown: side.heldOut != nil), let heldOut = side.heldOut else { return }
        integer("calls", heldOut.calls)
        errors("message", heldOut.message)
        errors("wire", heldOut.wire)
        end()
    }

    private mutating func calibrated(_ name: StaticString, _ constant: Calibration.Constant?) {
        guard begin(name, isKnown: constant != nil), let constant else { return }
        decimal("mean", constant.mean, places: 6)
        integer("n", constant.count)
        decimal("spread", constant.deviation, places: 3)
        end()
    }

    private mutating func errors(_ name: StaticString, _ errors: Calibration.HeldOut.Errors) {
        begin(name)
        integer("truth_total", errors.truth)
        decimal("error_before", Double(errors.before), places: 3)
        decimal("error_with_fallback", errors.withFallback, places: 3)
        decimal("error_after", errors.after, places: 3)
        for (name, error) in [
            ("relative_before", Double(errors.before)), ("relative_with_fallback", errors.withFallback),
            ("relative_after", errors.after),
        ] {
            decimal(name: name, errors.truth > 0 ? error / Double(errors.truth) : nil, places: 6)
        }
        end()
    }
}
