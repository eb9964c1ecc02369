import WireRecords

/// What a terminal of 80 columns shows of `sampleAudit`.
let golden80 = """
    1.00 MB of IP traffic. POST api.example.com /v1/orders costs most: 441 kB,
    44.1 % in 10 calls.

    captures/shop.pcapng · pcapng in gzip · Ethernet
    1,234 packets · 1,060,000 bytes (1.06 MB)
    84.2 s from 2026-11-20 10:00:00.123 UTC
    3 TCP connections · 32 HTTP exchanges · 3 APIs · 2 hosts
    ! 12 packets lost by the capturing program; they are not counted

    WHERE THE BYTES WENT       bytes      up     down    share
      start lines              8,500   8,500        0    0.8 %  ▏
      header fields           85,000  85,000        0    8.0 %  █▌
      bodies                 756,500       0  756,500   71.4 %   ██████████████▎
    = messages               850,000  93,500  756,500   80.2 %  ████████████████
      packet headers          49,500       0   49,500    4.7 %                  ▉
      acknowledgments         43,610  43,610        0    4.1 %                  ▊
      retransmissions            890       0      890    0.1 %                   ▏
      TCP handshakes           1,000   1,000        0    0.1 %                   ▏
      undecoded payload       50,000  20,000   30,000    4.7 %                   ▉
      other DNS                5,000                     0.5 %                    ▏
    = IP bytes             1,000,000                    94.3 %  ██████████████████▊
      link headers            59,000                     5.6 %                    █
      frames without IP        1,000                     0.1 %                     ▏
    = bytes of all frames  1,060,000                   100.0 %  ████████████████████
      balanced to the byte; 1.0 % of the packets are missing: figures are lower
        bounds; 5.0 % of the IP bytes could not be read

    APIs BY WIRE BYTES                     calls  message     wire   share  per call
    POST api.example.com /v1/orders           10  400,000  441,000  44.1 %    44,100
    GET api.example.com /v1/items/{id}        20  400,000  440,000  44.0 %    22,000
    GET img.example.com /…/{id}/large.jpg      2   50,000   59,000   5.9 %    29,500

    HOSTS BY WIRE BYTES  protocol  conn  calls       up     down     wire  unread
    api.example.com             —     2     32  138,110  801,890  940,000       0
    192.0.2.7                   —     1      0   20,000   35,000   55,000  50,000

    --explain: what the columns mean

    WARNINGS
      ! Bytes are missing from the capture; later packets show that they were sent
        (3 times, first at packet 1,200)
      · Segments far outside any window, or payload of resets; not part of any
        stream (once, first at packet 77)

    """

/// What a terminal of 120 columns shows of `sampleAudit`.
let golden120 = """
    1.00 MB of IP traffic. POST api.example.com /v1/orders costs most: 441 kB, 44.1 % in 10 calls.

    captures/shop.pcapng · pcapng in gzip · Ethernet
    1,234 packets · 1,060,000 bytes (1.06 MB)
    84.2 s from 2026-11-20 10:00:00.123 UTC
    3 TCP connections · 32 HTTP exchanges · 3 APIs · 2 hosts
    ! 12 packets lost by the capturing program; they are not counted

    WHERE THE BYTES WENT       bytes      up     down    share
      start lines              8,500   8,500        0    0.8 %  ▍
      header fields           85,000  85,000        0    8.0 %  ████▊
      bodies                 756,500       0  756,500   71.4 %       ██████████████████████████████████████████▊
    = messages               850,000  93,500  756,500   80.2 %  ████████████████████████████████████████████████
      packet headers          49,500       0   49,500    4.7 %                                                  ██▊
      acknowledgments         43,610  43,610        0    4.1 %                                                    ██▍
      retransmissions            890       0      890    0.1 %                                                       ▏
      TCP handshakes           1,000   1,000        0    0.1 %                                                       ▏
      undecoded payload       50,000  20,000   30,000    4.7 %                                                       ██▊
      other DNS                5,000                     0.5 %                                                          ▎
    = IP bytes             1,000,000                    94.3 %  ████████████████████████████████████████████████████████▌
      link headers            59,000                     5.6 %                                                          ███▎
      frames without IP        1,000                     0.1 %                                                             ▏
    = bytes of all frames  1,060,000                   100.0 %  ████████████████████████████████████████████████████████████
      balanced to the byte; 1.0 % of the packets are missing: figures are lower bounds; 5.0 % of the IP bytes could not be
        read

    APIs BY WIRE BYTES                                    calls  message     wire   share  per call  overhead  setup  resent
    POST api.example.com /v1/orders                          10  400,000  441,000  44.1 %    44,100    10.3 %  0.2 %   0.1 %
    GET api.example.com /v1/items/{id}                       20  400,000  440,000  44.0 %    22,000    10.0 %  0.0 %   0.1 %
    GET img.example.com /…/pictures/{id}/large.jpg            2   50,000   59,000   5.9 %    29,500    18.0 %  0.0 %   0.2 %

    HOSTS BY WIRE BYTES  protocol  conn  calls       up     down     wire  set-up  resent  unread  no API
    api.example.com             —     2     32  138,110  801,890  940,000   1,000     890       0       0
    192.0.2.7                   —     1      0   20,000   35,000   55,000       0       0  50,000  55,000

    --explain: what the columns mean

    WARNINGS
      ! Bytes are missing from the capture; later packets show that they were sent (3 times, first at packet 1,200)
      · Segments far outside any window, or payload of resets; not part of any stream (once, first at packet 77)

    """
