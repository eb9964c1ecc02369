import WireRecords

/// The style sheets and scripts of a page: files of `Page/Files`, embedded when the program is built.
struct PageFiles {
    let style: Markup
    /// Empty for a page without script.
    let script: Markup

    static let audit = PageFiles(
        styles: [PackageResources.audit_css],
        scripts: [PackageResources.audit_js, PackageResources.timeline_js])
    static let accuracy = PageFiles(
        styles: [PackageResources.accuracy_css], scripts: [PackageResources.accuracy_js])
    /// Tables and sentences, without script.
    static let tables = PageFiles(styles: [PackageResources.comparison_css], scripts: [])

    /// A page's own sheets and the parts of its script follow the shared ones.
    private init(styles: [[UInt8]], scripts: [[UInt8]]) {
        style = Markup(file: [PackageResources.page_css] + styles)
        script = scripts.isEmpty ? Markup() : Markup(file: [PackageResources.page_js] + scripts)
    }

    /// What a content security policy allows: the text of one element, by its hash.
    static func hash(of text: Markup) -> Markup {
        Markup(constant: "'sha256-\(sha256Text(text.source))'")
    }
}

extension Markup {
    fileprivate init(file parts: [[UInt8]]) {
        self.init(constant: parts.map { String(decoding: $0, as: UTF8.self) }.joined())
    }
}
