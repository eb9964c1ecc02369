import WireRecords

/// What a terminal of 80 columns shows of `smallAccuracy`.
let goldenAccuracy80 = """
    traffic.sqlite (measured by the app) undercounts requests by 150 bytes per call
    (-48.9 %, median 105) and responses by 15.7 bytes per call (-0.2 %, median 21).
    By API the error of responses lies between -5.0 % (HEAD cdn.example.com /ping)
    and >-0.1 % (GET img.example.com /assets/catalog/pictures/{id}/large.jpg).

    captures/shop.pcapng · pcapng in gzip · Ethernet
    1,234 packets · 1,060,000 bytes (1.06 MB)
    84.2 s from 2026-11-20 10:00:00.123 UTC
    3 TCP connections · 32 HTTP exchanges · 3 APIs · 2 hosts
    ! 12 packets lost by the capturing program; they are not counted
    120 of 127 exchanges compared; left out: 4 with bytes missing from the capture,
    1 that began before the capture, 2 without request

    REQUESTS                     calls  error/call    error  median  p90     wire
    traffic.sqlite  measured    87.5 %      -149.5  -48.9 %     105  250  -80.5 %
    dm              simulated   93.3 %      -149.8  -49.2 %     110  236  -80.5 %
    networkeye      simulated        —           —        —       —    —        —
    metrics         simulated  100.0 %         0.0    0.0 %       0    0  -53.4 %

    RESPONSES                    calls  error/call    error  median    p90     wire
    traffic.sqlite  measured    87.5 %       -15.7   -0.2 %      21     21   -5.6 %
    dm              simulated   93.3 %        +0.8  <+0.1 %      10     23   -5.4 %
    networkeye      simulated  100.0 %      -965.0  -12.1 %     752  2,372  -17.2 %
    metrics         simulated  100.0 %         0.0    0.0 %       0      0   -5.9 %
    measured: by the app; simulated: from the capture. calls, bytes: share of the
    calls, and of their message bytes, that the source recorded. error: estimate
    minus message, as the mean of a call in bytes and as % of all message bytes.
    median, p90: half, or 90 %, of the calls have at most this absolute error. wire:
    estimate minus all IP bytes of the calls, in %. 95 % interval: of the mean
    error, by bootstrap.

    LOG logs/traffic.sqlite · dm-sqlite · measured by the app
      231 rows: 207 matched, 3 that fit several calls equally, 4 duplicate, 2
        without exchange in the capture, 9 of hosts without readable calls in the
        capture, 5 from before or after the capture, 1 unusable
      3 rows fit several calls equally; they are left out of all error figures
      clock: 1.284 s ahead of the capture clock; from 212 pairs, half of them within
        640.0 µs of this
      has no row for 15 of 120 exchanges (13 %): 73,694 message bytes, 89,174 bytes
        on the wire; 15 probably lost their rows
      190 of 210 logged sizes (90 %) equal a known formula to the byte:
        dm:headers=article,body=stream
      ! length is not the sum of its parts (3 times, first in row 17)

    LARGEST CAUSES
      traffic.sqlite · dm-sqlite log · measured by the app
        Request: 15 of 120 calls (39 % of the bytes) are not recorded: chiefly
        exchanges invisible to the SDK. In the others, 67 % of the undercount (101
        of 150 bytes per call) comes from header fields that the hook cannot see;
        25 % from bodies, which are not counted.
        Response: 15 of 120 calls (5.6 % of the bytes) are not recorded: chiefly
        concurrent exchanges, merged into one. In the others, 38 % of the undercount
        (6 of 15.7 bytes per call) comes from the line ends of header fields; 36 %
        from chunk framing, which is not counted. By API the error lies between
        -5.0 % (HEAD cdn.example.com /ping) and >-0.1 % (GET img.example.com
        /assets/catalog/pictures/{id}/large.jpg).
      dm · DMURLProtocol (traffic monitor) · simulated: headers=article body=stream
        te=identity
        Request: 8 of 120 calls (35 % of the bytes) are not recorded: exchanges
        invisible to the SDK. In the others, 150 bytes per call too low: 152
        missing, 1.7 surplus. 66 % of the shortfall (101 bytes per call) comes from
        header fields that the hook cannot see. If only this were fixed, the total
        would be 49.1 bytes per call too low.
        Response: 0.8 bytes per call too high: 15.7 missing, 16.5 surplus. 97 % of
        the surplus (15.9 bytes per call) comes from bodies compressed again by
        another compressor. If only this were fixed, the total would be worse, 15.2
        bytes per call too low, because it now masks the line ends of header fields.
        On average a call is off by 12.4 bytes, some calls too high, some too low. 8
        of 120 calls (0.2 % of the bytes) are not recorded: exchanges invisible to
        the SDK. By API the error lies between -5.0 % (HEAD cdn.example.com /ping)
        and +0.9 % (GET api.example.com /v1/items).
      networkeye · NetworkEye · simulated: eclWhenEncoded=unknown
        Request: the source has no figures for this direction.
        Response: 79 % of the undercount (760 of 965 bytes per call) comes from the
        expected length, counted instead of the bytes received. By API the error
        lies between -100.1 % (GET api.example.com /v1/items/{id}) and -0.5 % (GET
        img.example.com /assets/catalog/pictures/{id}/large.jpg).
      metrics · URLSessionTaskMetrics (iOS 13 and later) · simulated: chunkedBug=off
        Request: exact; all 120 calls are counted to the byte.
        Response: exact; all 120 calls are counted to the byte.

    ERRORS BY CAUSE
    traffic.sqlite (B/CALL)                    request  share  response  share
    header fields that the hook cannot see      -100.9   67 %
    line ends of header fields                    -5.0    3 %      -6.0   38 %
    chunk framing not counted                                      -5.7   36 %
    body not counted                             -37.8   25 %
    empty line after the header fields            -2.0    1 %      -2.0   13 %
    line end of the start line                    -1.0    1 %      -2.0   13 %
    not explained by the log's known formulas     -2.9    2 %
    = error against the message                 -149.5            -15.7
    below HTTP (packets, TLS, set-up)           -494.7           -494.7
    = error against the wire                    -644.2           -510.3

    dm (B/CALL)                                  request  share  response  share
    header fields that the hook cannot see        -100.7   66 %
    body compressed again by another compressor                     +15.9   97 %
    body not counted                               -36.8   24 %
    line ends of header fields                      -5.0    3 %      -6.0   38 %
    chunk framing not counted                                        -5.7   36 %
    empty line after the header fields              -2.0    1 %      -2.0   13 %
    line end of the start line                      -1.0    1 %      -2.0   13 %
    query string dropped                            -6.1    4 %
    header fields rewritten by the platform                          +0.5    3 %
    cookies not counted, or not as sent             +1.7  100 %
    = error against the message                   -149.8             +0.8
    below HTTP (packets, TLS, set-up)             -490.0           -490.0
    = error against the wire                      -639.8           -489.2

    networkeye (B/CALL)                     request  share  response  share
    expected length counted, not what came                    -759.7   79 %
    header fields not counted                                 -183.0   19 %
    start line not counted                                     -17.0    2 %
    chunk framing not counted                                   -5.3    1 %
    = error against the message                   —           -965.0
    below HTTP (packets, TLS, set-up)             —           -497.3
    = error against the wire                      —         -1,462.4

    WHAT TO CHANGE IN THE SDK
    traffic.sqlite:
      1. Keep the counts of a task under its taskIdentifier, so that concurrent
         tasks are not mixed up. (S.merge)
         requests: corrects 2,008 missing bytes; error left: -33,776 (-64.8 %)
         responses: corrects 52,009 missing bytes; error left: -3,244 (-0.3 %)
      2. Put the URL protocol into protocolClasses of each URLSessionConfiguration;
         web views, background sessions and sockets remain invisible, so compare
         with the interface counters. (S.scope)
         requests: corrects 18,077 missing bytes; error left: -17,707 (-33.9 %)
         responses: corrects 1,600 missing bytes; error left: -53,653 (-5.6 %)
      3. Record the byte counts of each URLSessionTaskTransactionMetrics
         (countOfRequestHeaderBytesSent, countOfRequestBodyBytesSent,
         countOfResponseHeaderBytesReceived, countOfResponseBodyBytesReceived)
         instead of counting the text of messages. (T.line, T.hdr, T.blank,
         H.missing, B.missing, B.chunk)
         requests: corrects 15,398 missing bytes; error left: -20,386 (-39.1 %)
         responses: corrects 1,644 missing bytes; error left: -53,609 (-5.6 %)
    After all 3 changes, the remaining error is -301 (-0.6 %) for requests and 0 for
    responses.
    No code in an app can count these bytes:
      headers of packets (X.tcpip), acknowledgments and keep-alives (X.ack): An app
        cannot see these bytes for a single call; add a calibration constant.
    corrects: bytes that this change alone puts right, in all calls, recorded or
    not. error left: against the message bytes, or against the wire bytes for bytes
    below HTTP.

    WORST APIs: REQUESTS                            message  traf…c.sqlite        dm
    POST telemetry.example.net /v2/events           2,259.6       not seen  not seen
    GET api.example.com /v1/items                     250.0       -42.0 %*  -44.0 %
    GET img.example.com /…/pictures/{id}/large.jpg    310.0       -51.0 %*  -51.0 %
    POST api.example.com /v1/cart                     455.5       -56.2 %*  -53.5 %
    GET api.example.com /v1/items/{id}                250.0       -39.2 %*  -39.2 %
    POST api.example.com /v1/orders                   855.0       -76.6 %   -75.2 %
    GET api.example.com /v1/items/{id}/reviews        250.0       -42.0 %*  -47.2 %
    HEAD cdn.example.com /ping                        250.0       -39.2 %   -39.2 %

    WORST APIs: RESPONSES               message  traf…c.sqlite        dm  networkeye
    GET api.example.com /v1/items       2,325.4        -0.9 %*   +0.9 %    -100.0 %
    GET img.example.com /…/large.jpg   42,320.0       >-0.1 %*  >-0.1 %      -0.5 %
    GET api.example.com /…/items/{id}     746.9        -2.8 %*   -1.3 %    -100.1 %
    GET api.example.com /…/reviews        990.9        -1.0 %*   +0.5 %    -100.1 %
    POST api.example.com /v1/cart         279.0        -3.6 %*   -3.6 %     -71.7 %
    POST telemetry.example… /…/events     200.0       not seen  not seen   -100.0 %
    POST api.example.com /v1/orders       470.0        -2.1 %    -2.1 %     -42.6 %
    HEAD cdn.example.com /ping            200.0        -5.0 %    -5.0 %    -100.0 %
    message: mean bytes of a call. %: estimate minus message, in % of the message.
    Most wrong or unrecorded bytes first. *: of the recorded calls; others are not
    recorded. not seen: the source records no such call. Exact for all requests:
    metrics. Exact for all responses: metrics.

    Decoded 74 bodies from 103 kB to 516 kB; compressed 74 bodies (516 kB) again; 11
    reused from an identical earlier body; 2 could not be decoded.

    """
