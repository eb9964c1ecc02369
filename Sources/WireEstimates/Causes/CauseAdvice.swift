extension ErrorCause {
    /// One sentence: what to change in the SDK's hook so that the cause goes away; of what no hook can see, what to do
    /// instead. Nil where nothing follows from the cause.
    public var advice: String? { headAdvice ?? bodyAdvice ?? callAdvice ?? transportAdvice }

    /// A change in the SDK can remove the cause. The others can only be allowed for.
    public var isMendable: Bool {
        switch self {
        case .retry, .notJoined, .notSampled, .foreignHost, .unexplained: false
        default: !isTransport
        }
    }

    private var headAdvice: String? {
        switch self {
        case .startLineEnd: "Count two bytes (CRLF) for the end of the start line."
        case .fieldLineEnd: "Count two bytes (CRLF) for the end of each header line."
        case .emptyLine: "Add two bytes for the empty line after the header fields."
        case .fieldsMissing:
            """
            Read countOfRequestHeaderBytesSent of URLSessionTaskTransactionMetrics; without metrics take \
            allHTTPHeaderFields of the task's currentRequest after it was sent, which may still lack fields that the loader adds.
            """
        case .fieldsFormat: "Count each field as name, colon, space, value and CRLF, not as JSON or in another format."
        case .fieldsRewritten:
            """
            Read countOfRequestHeaderBytesSent and countOfResponseHeaderBytesReceived of \
            URLSessionTaskTransactionMetrics: header dictionaries join equal fields and change values.
            """
        case .fieldsNotCounted:
            """
            Count the header fields: countOfRequestHeaderBytesSent and countOfResponseHeaderBytesReceived of \
            URLSessionTaskTransactionMetrics, or allHTTPHeaderFields and allHeaderFields.
            """
        case .startLineNotCounted:
            """
            Count the start line: method, path with query and version of a request, version, status and reason phrase \
            of a response, each with its spaces and CRLF.
            """
        case .startLineRewritten:
            "Read countOfRequestHeaderBytesSent: the URL does not show the request line as it was sent."
        case .reasonGuessed:
            """
            Do not add the phrase of HTTPURLResponse.localizedString(forStatusCode:): servers send their own, and \
            HTTP/2 has none; read countOfResponseHeaderBytesReceived.
            """
        case .cookie:
            """
            Count the Cookie field of the task's currentRequest, not the cookies that HTTPCookieStorage holds when the \
            row is written.
            """
        case .queryDropped: "Append a question mark and URLComponents.percentEncodedQuery to the path."
        case .pathRewritten:
            "Use URLComponents.percentEncodedPath: NSURL.path is decoded and drops a trailing slash."
        case .headerCompression:
            """
            Read the header and body byte counts of URLSessionTaskTransactionMetrics: the text of the fields does not \
            show their compressed size in HTTP/2.
            """
        default: nil
        }
    }

    private var bodyAdvice: String? {
        switch self {
        case .bodyMissing:
            """
            Read HTTPBodyStream: inside a URL protocol it holds the body of an upload, and HTTPBody is nil; elsewhere, \
            read countOfRequestBodyBytesSent.
            """
        case .bodyRecompressed:
            """
            Do not compress the body again: read countOfResponseBodyBytesReceived and countOfRequestBodyBytesSent, the \
            bytes that were transferred.
            """
        case .bodyDecoded:
            """
            Read countOfResponseBodyBytesReceived of URLSessionTaskTransactionMetrics: the data that a delegate gets is \
            decompressed.
            """
        case .encodingTest:
            """
            Read countOfResponseBodyBytesReceived, or compare Content-Encoding case-insensitively and support br, \
            deflate and zstd in addition to gzip.
            """
        case .expectedLength:
            "Do not store expectedContentLength: read countOfResponseBodyBytesReceived, the bytes received."
        case .chunkFraming:
            "Read countOfResponseBodyBytesReceived and countOfRequestBodyBytesSent, which include chunk framing."
        case .lastBlockOnly: "Add up the data of all calls of urlSession(_:dataTask:didReceive:), not just of the last."
        default: nil
        }
    }

    private var callAdvice: String? {
        switch self {
        case .redirect:
            """
            Write a row for each hop: each element of transactionMetrics, or each call of \
            urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:).
            """
        case .cache: "Do not count transactions whose resourceFetchType is localCache."
        case .retry:
            """
            Interim responses and the loader's own retries cannot be seen from inside an app; add a calibration \
            constant.
            """
        case .failure:
            """
            In urlSession(_:task:didCompleteWithError:) record failed and cancelled tasks too, with the bytes that were \
            sent and received until then (transaction metrics, or the data so far), not with zeros.
            """
        case .scope:
            """
            Put the URL protocol into protocolClasses of each URLSessionConfiguration; web views, background sessions \
            and sockets remain invisible, so compare with the interface counters.
            """
        case .rowMissing: "Write one row for each call, with both sizes, when its task completes."
        case .merge: "Keep the counts of a task under its taskIdentifier, so that concurrent tasks are not mixed up."
        case .observer: "Do not add header fields to the app's requests."
        case .attribution: "Count each task by its URLSessionTaskTransactionMetrics instead of a shared counter."
        case .rounding: "Store whole bytes."
        default: nil
        }
    }

    private var transportAdvice: String? {
        switch self {
        case .tlsRecords, .tcpip, .acknowledgments, .retransmission:
            "An app cannot see these bytes for a single call; add a calibration constant."
        case .handshake:
            """
            An app cannot count these bytes; add a calibration constant for each transaction whose \
            isReusedConnection is false.
            """
        case .dns:
            """
            An app cannot count these bytes; add a calibration constant for each transaction that has a \
            domainLookupStartDate.
            """
        case .tunnel: "Count the messages of URLSessionWebSocketTask as they are sent and received."
        default: nil
        }
    }
}
