import Foundation
import Testing
import WireReport
import WireTesting
import wireaudit

@Suite("Schemas of the outputs")
struct SchemaTests {
    @Test("the article on fields is what `schema --format md` prints")
    func article() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/wireaudit/Documentation.docc/Fields.md")
        let article = try String(contentsOf: path.standardizedFileURL, encoding: .utf8)
        #expect(article == schemaArticle(), "write it anew: wireaudit schema --format md -o …/Fields.md")
    }

    @Test("each schema is JSON, and requires every field that it lists")
    func isJSON() throws {
        for schema in OutputSchema.all {
            let text = jsonSchema(schema)
            let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(value["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
            #expect((value["title"] as? String)?.hasPrefix("wireaudit.\(schema.name)/") == true)
            #expect(Self.objects(value).count > 0)
            for object in Self.objects(value) {
                let names = try #require(object["properties"] as? [String: Any]).keys
                let required = try #require(object["required"] as? [String])
                #expect(Set(required).count == required.count)
                #expect(Set(required) == Set(names))
            }
        }
    }

    @Test("help and articles name schemas as outputs do")
    func names() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/wireaudit/Documentation.docc").standardizedFileURL
        let articles = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        #expect(articles.count > 10)
        var texts = try articles.map { try String(contentsOf: $0, encoding: .utf8) }
        texts += ([nil] + Command.allCases.map(Optional.some)).map { HelpText.of($0) }
        let known = try Set(
            OutputSchema.all.map { schema in
                let value = try JSONSerialization.jsonObject(with: Data(jsonSchema(schema).utf8))
                return try #require((value as? [String: Any])?["title"] as? String)
            })
        for text in texts {
            for name in text.matches(of: /wireaudit\.[a-z]+\/[0-9]+/) {
                #expect(known.contains(String(name.output)), "\(name.output)")
            }
        }
    }

    /// Every schema of an object with known fields, itself included.
    private static func objects(_ value: Any) -> [[String: Any]] {
        if let list = value as? [Any] { return list.flatMap(objects) }
        guard let object = value as? [String: Any] else { return [] }
        let own = object["properties"] is [String: Any] && object["type"] != nil ? [object] : []
        return own + object.values.flatMap(objects)
    }

    @Test("the columns of CSV are the fields of the schema")
    func columns() throws {
        for (name, command) in [("exchange", "exchanges"), ("connection", "connections")] {
            let run = try WireAuditProcess.run([command, "--format", "csv", "--quiet", Self.capture])
            let header = try #require(run.output.split(whereSeparator: \.isNewline).first).split(separator: ",")
            let schema = try #require(OutputSchema.named(name))
            let fields = Self.flatNames(try JSONSerialization.jsonObject(with: Data(jsonSchema(schema).utf8)))
            #expect(header.count > 50 && Set(header).count == header.count)
            for column in header {
                #expect(fields.contains(String(column)), "\(name): \(column)")
                #expect(column.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }, "\(column)")
            }
        }
    }

    /// Names of the values inside an object, joined by `_`.
    private static func flatNames(_ schema: Any?) -> Set<String> {
        let properties = (schema as? [String: Any])?["properties"] as? [String: Any] ?? [:]
        return properties.reduce(into: []) { names, field in
            let nested = flatNames(field.value)
            names.formUnion(nested.isEmpty ? [field.key] : Set(nested.map { "\(field.key)_\($0)" }))
        }
    }

    private static let capture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Captures/tls13/capture.pcap").standardizedFileURL.path

    @Test("schema takes the name of one output")
    func arguments() throws {
        let schema = try #require(OutputSchema.named("row"))
        let named = try WireAuditProcess.run(["schema", "wireaudit.row/1"])
        #expect(named.status == 0 && named.output == jsonSchema(schema))
        let list = try WireAuditProcess.run(["schema"])
        #expect(list.output == schemaList() && list.output.split(separator: "\n").count == OutputSchema.all.count)
        let table = try WireAuditProcess.run(["schema", "--format", "md", "row"])
        #expect(table.output == schemaTable(schema))
        for (arguments, message) in [
            (["schema", "exchanges"], "there is no output named 'exchanges'; did you mean 'exchange'?"),
            (["schema", "row", "call"], "'schema' takes the name of one output"),
            (["schema", "--format", "json"], "'schema --format json' needs the name of an output"),
            (["schema", "--format", "csv"], "csv"), (["schema", "--verbose"], "--verbose is an option of"),
        ] {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == 64)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }
}
