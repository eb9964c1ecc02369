/// The mark of a source: colour and shape together tell sources apart, so that no reader needs the colour. Eight
/// colours and seven shapes give 56 different marks.
struct Mark {
    /// The source's place on the page.
    let place: Int

    static let colors = 8
    private static let shapes = 7

    /// Class of the style sheet that has the colour.
    var colorClass: Markup { "s\(place % Mark.colors)" }

    /// The outline around a point, as commands of an SVG path.
    func outline(x: Double, y: Double, radius: Double) -> String {
        let (r, d) = (coordinate(radius), coordinate(2 * radius))
        let (left, top) = (coordinate(x - radius), coordinate(y - radius))
        switch place % Mark.shapes {
        case 0: return "M\(left) \(coordinate(y))a\(r) \(r) 0 1 0 \(d) 0a\(r) \(r) 0 1 0-\(d) 0"
        case 1: return "M\(left) \(top)h\(d)v\(d)h-\(d)z"
        case 2: return "M\(coordinate(x)) \(top)l\(r) \(d)h-\(d)z"
        case 3: return "M\(coordinate(x)) \(top)l\(r) \(r)l-\(r) \(r)l-\(r)-\(r)z"
        case 4: return "M\(left) \(top)h\(d)l-\(r) \(d)z"
        case 5: return plus(x, y, radius)
        default: return "M\(left) \(top)h\(d)l-\(d) \(d)h\(d)z"
        }
    }

    private func plus(_ x: Double, _ y: Double, _ radius: Double) -> String {
        let (third, arm) = (coordinate(radius * 2 / 3), coordinate(radius * 2 / 3))
        let start = "M\(coordinate(x - radius / 3)) \(coordinate(y - radius))"
        return start + "h\(third)v\(arm)h\(arm)v\(third)h-\(arm)v\(arm)h-\(third)v-\(arm)h-\(arm)v-\(third)h\(arm)z"
    }

    /// A small picture for legends and tables. The source's name stands beside it, so it says nothing by itself.
    var swatch: Markup {
        let path = outline(x: 7, y: 7, radius: 5)
        return """
            <svg class="swatch" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">\
            <path class="\(colorClass) full" d="\(path)"/></svg>
            """
    }
}
