import Testing
import WireEstimates

@Suite("Choosing estimators")
struct EstimatorCatalogTests {
    @Test("descriptions are complete and names are unique")
    func descriptions() {
        let descriptions = EstimatorCatalog.descriptions
        #expect(
            descriptions.map(\.id) == [
                "dmurlprotocol", "networkeye", "godeye", "hertz", "wedjat", "mtnm", "dada", "pps",
                "interceptor-sample", "drd", "dokit", "netfox", "flex", "wormholy", "pulse", "firebase", "sentry",
                "datadog", "newrelic", "har", "har-chrome", "okhttp", "cfnetwork", "android-uid", "matrix", "otel",
                "netlog", "qlog", "resource-timing", "cronet", "firebase-android", "datadog-android", "embrace-ios",
                "embrace-android", "bugsnag", "chucker", "posthog", "argusapm", "flutter",
                "dokit-android", "datadog-react-native", "instabug-react-native", "okhttp-log", "ifaddrs",
            ])
        let names = descriptions.flatMap { [$0.id] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0 == $0.lowercased() })
        for description in descriptions {
            for text in [description.sees, description.cannotSee, description.counts] {
                #expect(text.hasSuffix(".") && !text.contains("\n") && !text.contains("  "), "\(description.id)")
            }
            #expect(!description.title.isEmpty && !description.source.isEmpty)
            for parameter in description.parameters {
                #expect(!parameter.values.isEmpty && parameter.meaning.hasSuffix("."), "\(description.id)")
                #expect(Set(parameter.values).count == parameter.values.count)
            }
        }
        #expect(descriptions.filter { !$0.isSimulated }.map(\.id) == ["ifaddrs"])
    }

    @Test(
        "texts and what they choose",
        arguments: [
            ("none", []), (" None ", []), ("dm", ["dmurlprotocol"]), ("DMURLProtocol", ["dmurlprotocol"]),
            ("dada-aop,zgpeace,drd-h2", ["dada", "pps", "drd"]), ("har , okhttp", ["har", "okhttp"]),
            ("dm,dm", ["dmurlprotocol"]), ("dm:headers=article", ["dmurlprotocol"]),
            (
                "dm,dm:headers=min,dm:BODY=Data:headers=MIN",
                ["dmurlprotocol", "dmurlprotocol:headers=min", "dmurlprotocol:headers=min:body=data"]
            ),
            ("dm:headers=host+Accept+cookie+host", ["dmurlprotocol:headers=accept+cookie+host"]),
            ("dm:headers=authorization", ["dmurlprotocol:headers=authorization"]),
            ("dm:headers=+x-mine", ["dmurlprotocol:headers=+x-mine"]),
            ("dm:headers=x-a+x-b", ["dmurlprotocol:headers=x-a+x-b"]),
            ("dm:te=identity", ["dmurlprotocol"]), ("dm:te=CHUNKED", ["dmurlprotocol:te=chunked"]),
            ("firebase:lastBlock=0512:path=delegate", ["firebase:path=delegate:lastBlock=512"]),
            ("standard,okhttp", EstimatorCatalog.standard + ["okhttp"]), ("standard", EstimatorCatalog.standard),
            ("all", EstimatorCatalog.descriptions.filter(\.isSimulated).map(\.id)),
        ])
    func choices(text: String, ids: [String]) throws {
        let chosen = try EstimatorCatalog.choose(text)
        #expect(chosen.map(\.id) == ids)
        for one in chosen {
            #expect(try EstimatorCatalog.choose(one.id).map(\.id) == [one.id])
            #expect(one.title == one.description.title)
        }
    }

    private static let parameters =
        "headers, body, te, merge, gate, statusLineEnd, emptyLine, recompression, redirectRow, variant"
    private static let profiles =
        "article, min, full, loader, or names of fields joined by + (+name for a single unusual one)"
    private static let bytes = "unknown, or a number of bytes"

    @Test(
        "texts that are refused, and why",
        arguments: [
            ("netwrkeye", "no estimator 'netwrkeye'; did you mean 'networkeye'?"),
            ("okhtp", "no estimator 'okhtp'; did you mean 'okhttp'?"),
            ("wed", "no estimator 'wed'; did you mean 'wedjat'?"),
            ("ifaddrs", "ifaddrs counts the device, not exchanges: it is described but cannot be simulated"),
            ("dm,none", "'none' cannot be joined with other estimators"),
            (
                "dm:headres=min",
                "dmurlprotocol has no parameter 'headres'; did you mean 'headers'? It has \(parameters)"
            ),
            ("hertz:x=1", "hertz has no parameter 'x'; it has body"),
            ("har-chrome:x=1", "har-chrome has no parameter 'x'; it has writer"),
            ("dm:headers", "dmurlprotocol: 'headers' needs a value, such as headers=article"),
            ("dm:te=gzip", "dmurlprotocol: te cannot be 'gzip'; it takes Identity, chunked"),
            (
                "dm:headers=articel",
                "dmurlprotocol: headers cannot be 'articel'; it takes \(profiles)"
            ),
            (
                "dm:headers=",
                "dmurlprotocol: headers cannot be ''; it takes \(profiles)"
            ),
            ("firebase:lastBlock=-1", "firebase: lastBlock cannot be '-1'; it takes \(bytes)"),
            (
                "firebase:lastBlock=99999999999999999999",
                "firebase: lastBlock cannot be '99999999999999999999'; it takes unknown, or a number of bytes"
            ),
            ("dm:te=chunked:te=Identity", "dmurlprotocol: 'te' is given twice"),
            (
                "dm:",
                "dmurlprotocol has no parameter ''; it has \(parameters)"
            ),
        ])
    func refusals(text: String, message: String) throws {
        do {
            _ = try EstimatorCatalog.choose(text)
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error.message == message)
        }
    }

    @Test("a missing or foreign name lists what is known", arguments: ["", "dm,,har", "qqqqqqqq"])
    func listsNames(text: String) throws {
        do {
            _ = try EstimatorCatalog.choose(text)
            Issue.record("\(text) was accepted")
        } catch {
            for id in EstimatorCatalog.standard { #expect(error.message.contains(id)) }
        }
    }

    @Test("all parameters are told, those left alone too")
    func parametersText() throws {
        let chosen = try EstimatorCatalog.choose("har:harChunk=included,mtnm,sentry")
        #expect(
            chosen.map(\.parameters) == [
                "harChunk=included",
                "os=13, redirects=firstHop, body=stream, metricsChunkedBug=off, h2HeaderFraming=included",
                "figure=task",
            ])
    }
}
