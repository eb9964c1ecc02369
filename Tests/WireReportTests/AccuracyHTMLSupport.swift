import Foundation
import WireAccuracy
import WireCore
import WireLogs

/// Texts that try to become code wherever a page might put them. What runs sets `window.pwned` or the title.
let hostileTexts = [
    "<script>window.pwned=1;document.title='pwned'</script>", "GET h.example </title><script>pwned=2</script>",
    "GET h.example \"><img src=x onerror=\"window.pwned=3\">", "GET h.example '><svg onload='window.pwned=4'>",
    "GET h.example \" onmouseover=\"window.pwned=5\" autofocus onfocus=\"window.pwned=5", "javascript:window.pwned=6",
    "GET h.example </script><script>window.pwned=7</script><!--", "<!--<script>", "--><script>window.pwned=8</script>",
    "</style><style>*{background:url(http://192.0.2.1/x)}</style>", "GET h.example /${window.pwned=9}/`+(pwned=9)+`",
    "\u{2028}window.pwned=10\u{2029}//", "\",window.pwned=11,\"", "\\\",window.pwned=12,\\\"", "\\u003cscript\\u003e",
    "&lt;script&gt;window.pwned=13&lt;/script&gt;", "&#60;script>", "<base href=http://192.0.2.1/>",
    "<meta http-equiv=refresh>",
    "<iframe srcdoc='<script>parent.pwned=14</script>'>", "<link rel=stylesheet href=http://192.0.2.1/x.css>",
    "<a href=javascript:pwned=15 id=table>x</a>", "<form action=http://192.0.2.1><input id=search autofocus>",
    "<details open ontoggle=pwned=16>", "<math><mtext></table><mglyph><style><img src onerror=pwned=17>",
    "]]><svg/onload=pwned=18>",
    "__proto__", "constructor", "GET h.example /\u{202E}gpj.exe\u{200B}\u{0}\u{1B}[31m\r\nX: y",
    "data:text/html,<script>pwned=19</script>",
    "<template><script>pwned=20</script></template>", "<img src='http://192.0.2.1/pixel'>", "<plaintext>", "<textarea>",
    String(repeating: "<b>", count: 400), "\u{FEFF}<x\u{0}script>pwned=21</script>",
]

/// What would load, evaluate or write markup. No page's script or style sheet has any of it.
let wildWords = [
    "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "fetch(", "XMLHttp", "import(",
    "setTimeout", "url(", "@import", "localStorage", "postMessage", "WebSocket", "location",
]

/// The hashes that a page's policy names, and those of the style sheet and the script that it has.
func policy(of html: String) -> (named: String, expected: String) {
    let style = html.firstMatch(of: /(?s)<style>(.*?)<\/style>/)?.1 ?? ""
    let script = html.firstMatch(of: /(?s)<script>(.*?)<\/script>/)?.1 ?? ""
    let named = html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.1 ?? ""
    let expected = """
        default-src 'none'; style-src 'sha256-\(sha256Base64(String(style)))'; \
        script-src 'sha256-\(sha256Base64(String(script)))'; base-uri 'none'; form-action 'none'
        """
    return (String(named), expected)
}

/// A result in which every text is hostile.
func hostileResult(_ text: String) -> AccuracyResult { hostileResult([text]) }

func hostileResult(_ texts: [String]) -> AccuracyResult {
    var result = accuracy(
        of: texts.map { SampleAPI(name: $0, calls: 2, query: 5, content: 700, decoded: 1900) },
        sources: Array(sampleSources.prefix(2)) + sampleSources.suffix(2))
    for index in result.sources.indices {
        let text = texts[index % texts.count]
        result.sources[index].id = text
        result.sources[index].title = text
        result.sources[index].note = texts.joined()
        result.sources[index].unknown = 1
    }
    for index in result.logs.indices {
        result.logs[index].path = texts.joined(separator: "/")
        result.logs[index].problems = texts.map { LogProblem(what: $0, count: 2, firstRow: 3) }
    }
    result.leftOut = texts.map { ($0, 1) }
    return result
}

func hostileAudit(_ text: String) -> AuditResult {
    var audit = sampleAudit()
    audit.files[0].path = text
    audit.files[0].format = text
    return audit
}

/// A page taken apart as an HTML parser does it, as far as this page needs: tags, attributes, comments, raw texts.
struct HTMLTags {
    private(set) var names: [String] = []
    private(set) var attributes: Set<String> = []
    private(set) var identifiers: [String] = []
    private(set) var references: Set<String> = []
    /// Contents of the style sheet and the script, and of the data block.
    private(set) var rawTexts: [String] = []
    private(set) var data = ""
    private(set) var problems: [String] = []
    private var open: [String] = []
    /// Tags without values of their own that were taken before: most of a page.
    private var known: [String: (name: String, isOpened: Bool)] = [:]

    private static let empty: Set<String> = ["meta", "input"]

    init(_ html: String) {
        let bytes = Array(html.utf8)
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            guard let end = HTMLTags.end(bytes, start) else {
                problems.append("a tag without end")
                break
            }
            index = end + 1
            take(String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
            if let last = open.last, ["script", "style"].contains(last), bytes[start + 1] != UInt8(ascii: "/") {
                let close = Array("</\(last)".utf8)
                var stop = index
                while stop + close.count < bytes.count, !bytes[stop...].starts(with: close) {
                    stop = bytes[(stop + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                }
                let raw = String(decoding: bytes[index..<min(stop, bytes.count)], as: UTF8.self)
                if raw.hasPrefix("{\"") { data = raw } else { rawTexts.append(raw) }
                index = min(stop, bytes.count)
            }
        }
        if !open.isEmpty { problems.append("never closed: \(open)") }
    }

    func count(of name: String) -> Int { names.count { $0 == name } }

    /// The `>` that ends a tag: not one inside a quoted value.
    private static func end(_ bytes: [UInt8], _ start: Int) -> Int? {
        var quote: UInt8?
        for index in start..<bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    private mutating func take(_ tag: String) {
        if tag == "!DOCTYPE html" { return }
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.popLast() != name { problems.append("</\(name)> closes something else") }
            return
        }
        if let (name, isOpened) = known[tag] {
            names.append(name)
            if isOpened { open.append(name) }
            return
        }
        guard let match = tag.wholeMatch(of: /([a-z][a-z0-9]*)((?:\s+[A-Za-z0-9-]+(?:="[^"<]*")?)*)\s*(\/?)/) else {
            return problems.append("no tag of ours: <\(tag.prefix(80))>")
        }
        let name = String(match.1)
        let isOpened = !HTMLTags.empty.contains(name) && match.3.isEmpty
        names.append(name)
        if isOpened { open.append(name) }
        if !match.2.contains(" id=") { known[tag] = (name, isOpened) }
        for attribute in match.2.matches(of: /([A-Za-z0-9-]+)(?:="([^"]*)")?/) {
            let (name, value) = (String(attribute.1), String(attribute.2 ?? ""))
            attributes.insert(name)
            if name == "id" { identifiers.append(value) }
            if name == "aria-labelledby" { references.formUnion(value.split(separator: " ").map(String.init)) }
            if name == "href", value.firstMatch(of: /^#[a-z]+$/) == nil { problems.append("a link to \(value)") }
        }
    }
}

/// The data block, read as the script reads it.
struct PageRows {
    let sources: [String]
    let apis: [String]
    /// By API, source and direction; empty where there is no row. The last is what follows the last separator.
    let rows: [[Int]]

    init(_ html: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(HTMLTags(html).data.utf8)) as? [String: Any] ?? [:]
        sources = object["sources"] as? [String] ?? []
        apis = object["apis"] as? [String] ?? []
        rows = numberRows((object["rows"] as? String) ?? "")
    }
}

/// Rows of whole numbers of a page's data, as its script reads them.
func numberRows(_ text: String) -> [[Int]] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let digits = Dictionary(uniqueKeysWithValues: zip(letters, 0...))
    return text.split(separator: ";", omittingEmptySubsequences: false).map { row in
        var (numbers, value, shift): ([Int], Int, Int) = ([], 0, 0)
        for letter in row {
            let digit = digits[letter] ?? 0
            value |= (digit & 31) << shift
            shift += 5
            guard digit < 32 else { continue }
            numbers.append(value & 1 == 1 ? -(value >> 1) : value >> 1)
            (value, shift) = (0, 0)
        }
        return numbers
    }
}

/// SHA-256 (FIPS 180-4) in Base64: the form that a content security policy wants.
func sha256Base64(_ text: String) -> String {
    let primes = (2..<312).filter { number in !(2..<number).contains { number % $0 == 0 } }
    func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }
    let constants = primes.map { fraction(cbrt(Double($0))) }
    var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    var message = Array(text.utf8) + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(text.utf8.count) * 8
    message += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    for block in stride(from: 0, to: message.count, by: 64) {
        var words = (0..<16).map { word in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[block + word * 4 + $1]) }
        }
        for index in 16..<64 {
            let (first, second) = (words[index - 15], words[index - 2])
            let low = rotated(first, 7) ^ rotated(first, 18) ^ first >> 3
            let high = rotated(second, 17) ^ rotated(second, 19) ^ second >> 10
            words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
        }
        var work = state
        for index in 0..<64 {
            let high = rotated(work[4], 6) ^ rotated(work[4], 11) ^ rotated(work[4], 25)
            let choice = work[4] & work[5] ^ ~work[4] & work[6]
            let first = work[7] &+ high &+ choice &+ constants[index] &+ words[index]
            let low = rotated(work[0], 2) ^ rotated(work[0], 13) ^ rotated(work[0], 22)
            let majority = work[0] & work[1] ^ work[0] & work[2] ^ work[1] & work[2]
            work = [first &+ low &+ majority] + work[0..<3] + [work[3] &+ first] + work[4..<7]
        }
        state = zip(state, work).map { $0 &+ $1 }
    }
    let bytes = state.flatMap { word in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
    return Data(bytes).base64EncodedString()
}
