import Testing

@testable import WireCore

@Suite("Operations that the content of a request names")
struct CallOperationTests {
    private func name(
        _ body: String, _ syntax: CallOperation.Syntax = .json, isWhole: Bool = true, isTold: Bool = false
    ) -> String? {
        let bytes = Array(body.utf8)
        return unsafe CallOperation(isWhole: isWhole, isTold: isTold).name(bytes.span.bytes, syntax)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "JSON-RPC: the method, by version or by all members of 1.0",
        arguments: [
            (#"{"jsonrpc":"2.0","method":"getUser","id":1}"#, "getUser"),
            (#" { "params" : {"method":"no","a":[{}]} , "method":"a.b/c" , "jsonrpc":"2.0"}"#, "a.b/c"),
            (#"{"method":"getblock","params":["00ff",1],"id":null}"#, "getblock"),
            (#"{"jsonrpc":"2.0","\u006dethod":"caf\u00e9 \ud83d\ude00"}"#, "café 😀"),
            ("\u{FEFF}" + #"{"jsonrpc":"2.0","method":"x"}"#, "x"),
            (#"{"jsonrpc":"2.0","method":"one","method":"two"}"#, "two"),
            (
                #"[{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]"#,
                "[a,b]"
            ),
            (#"[{"jsonrpc":"2.0","method":"b"}]"#, "[b]"),
        ])
    func remoteCalls(body: String, operation: String) {
        #expect(name(body) == operation)
    }

    @Test(
        "GraphQL: the operation's name, else its first field, else the document's number",
        arguments: [
            (#"{"query":"query User($id: ID = {a: 1}) @live(x: 2) { user(id: $id) { name } }"}"#, "User"),
            (#"{"operationName":"B","query":"query A { a } query B { b }"}"#, "B"),
            (#"{"operationName":null,"query":"{ shown: cart(id: 1) { items } }"}"#, "cart"),
            (
                ##"{"query":"# note {\n mutation {,, addItem(note: \"}\\\"\", more: \"\"\"a \"b\" } \"\"\") { id } }"}"##,
                "addItem"
            ),
            (#"{"query":"subscription { ...Parts } fragment Parts on Root @x { a }"}"#, "subscription"),
            (#"{"query":"fragment P on User { id } query Q { user { ...P } }"}"#, "Q"),
            (
                #"{"variables":{},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"0123456789abcdef"}}}"#,
                "sha256:0123456789ab"
            ),
            (
                #"{"operationName":"Stored","extensions":{"persistedQuery":{"sha256Hash":"0123456789abcdef"}}}"#,
                "Stored"
            ),
            (#"{"documentId":"sha256:0123456789abcdef"}"#, "sha256:0123456789ab"),
            (#"{"documentId":"cart-v2","variables":{}}"#, "cart-v2"),
            (#"{"operationName":"Trusted","variables":{"a":1}}"#, "Trusted"),
            (#"[{"query":"{ b }"},{"query":"query A { a }"}]"#, "[A,b]"),
        ])
    func graphQL(body: String, operation: String) {
        #expect(name(body) == operation)
    }

    @Test(
        "content that is no call names nothing",
        arguments: [
            #"{"method":"express","query":"two shoes","id":9}"#, #"{"query":{"match":"{a}"}}"#,
            #"{"query":"query shoes"}"#,
            #"{"query":"{ open"}"#, #"{"query":"query A { a } query B { b }"}"#,
            #"{"operationName":"X","query":"shoes"}"#,
            #"{"jsonrpc":"2.0","result":{"method":"x"}}"#, #"{"jsonrpc":"2.0","method":7}"#,
            #"{"jsonrpc":"2.0","method":""}"#,
            #"{"jsonrpc":"2.0","method":"x""#, #"[{"jsonrpc":"2.0","method":"a"},{"a":1}]"#, "[]", "[1,2]", "", "{",
            "[[[[",
            #"{"operationName":"X"}"#, #""method""#, "null",
        ])
    func noCalls(body: String) {
        #expect(name(body) == nil)
    }

    @Test("a cut body is named only by what cannot change behind the cut")
    func cut() {
        let call = #"{"jsonrpc":"2.0","method":"getUser","params":[1"#
        #expect(name(call, isWhole: false) == "getUser")
        #expect(name(call) == nil)
        #expect(name(#"{"method":"getUser","params":[1"#, isWhole: false) == nil)
        #expect(name(#"[{"jsonrpc":"2.0","method":"a"},{"jsonr"#, isWhole: false) == nil)
        #expect(name(#"{"query":"query A { a }","variables":{"#, isWhole: false) == "A")
        #expect(name(#"{"query":"query A { a } query B { b }","variables":{"#, isWhole: false) == nil)
        #expect(name(#"{"extensions":{"persistedQuery":{"sha256Hash":"0123"}},"opera"#, isWhole: false) == nil)
    }

    @Test("where the user names the path, a name needs no marks of a protocol")
    func told() {
        #expect(name(#"{"method":"getUser"}"#, isTold: true) == "getUser")
        #expect(name(#"{"operationName":"X"}"#, isTold: true) == "X")
        #expect(name(#"{"a":1}"#, isTold: true) == nil)
    }

    @Test("application/graphql is a document")
    func document() {
        #expect(name("{ cart { id } }", .graphQL) == "cart")
        #expect(name("{ cart { id }", .graphQL) == nil)
        #expect(name("{ cart { id } } query B { b }", .graphQL) == nil)
    }

    @Test("a long name is cut between characters")
    func long() {
        let text = String(repeating: "a", count: CallOperation.nameLimit - 1) + "éé"
        let cut = String(repeating: "a", count: CallOperation.nameLimit - 1) + "…"
        #expect(name(#"{"jsonrpc":"2.0","method":"\#(text)"}"#) == cut)
    }

    @Test("a body cut or changed anywhere gives the same name, another of its own, or none")
    func damage() {
        let body = Array(
            #"[{"jsonrpc":"2.0","method":"a\n\u00e9","id":[{}]},{"query":"query B($a: [Int!] = [1]) { b(c: {d: \"e\"}) }"}]"#
                .utf8)
        for length in 0..<body.count {
            let cut = Array(body[..<length])
            #expect(unsafe CallOperation(isWhole: true, isTold: false).name(cut.span.bytes, .json) == nil)
            for byte in [0x00, 0x22, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var changed = body
                changed[length] = byte
                for isWhole in [true, false] {
                    let found = unsafe CallOperation(isWhole: isWhole, isTold: false).name(changed.span.bytes, .json)
                    #expect((found?.count ?? 0) <= body.count)
                }
            }
        }
    }
}
