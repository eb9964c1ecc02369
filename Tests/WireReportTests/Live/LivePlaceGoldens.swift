import Testing
import WireRecords
import WireReport

/// A table of `sampleLive`, or what was opened there, without colours.
struct LivePlaceGolden: Sendable, CustomTestStringConvertible {
    var name: String
    var columns: Int
    var rows: Int
    var unicode = true
    /// What was done before.
    var prepare: @Sendable (inout LiveState) -> Void
    var text: String

    var testDescription: String { "\(name), \(columns) x \(rows)" }

    var state: LiveState {
        var state = sampleLive()
        prepare(&state)
        return state
    }
}

private func select(_ item: LiveItem, _ rank: Int, _ state: inout LiveState) {
    state.place.selection = LiveSelection(item: item, rank: rank)
}

let placeGoldens = [
    LivePlaceGolden(
        name: "a selected API", columns: 80, rows: 24,
        prepare: { select(.api("GET api.example.com /v1/items/{id}"), 1, &$0) }, text: selected80),
    LivePlaceGolden(name: "hosts", columns: 40, rows: 12, prepare: { $0.place.show(.hosts) }, text: hosts40),
    LivePlaceGolden(
        name: "hosts", columns: 120, rows: 40,
        prepare: {
            $0.place.show(.hosts)
            select(.host("192.0.2.7"), 1, &$0)
        }, text: hosts120),
    LivePlaceGolden(
        name: "connections", columns: 80, rows: 24, unicode: false, prepare: { $0.place.show(.connections) },
        text: connections80),
    LivePlaceGolden(
        name: "an API", columns: 40, rows: 12,
        prepare: { $0.place.open(.api("GET api.example.com /v1/items/{id}")) }, text: api40),
    LivePlaceGolden(
        name: "a host", columns: 80, rows: 24,
        prepare: {
            $0.place.show(.hosts)
            $0.place.open(.host("api.example.com"))
            $0.isFrozen = true
        }, text: host80),
    LivePlaceGolden(
        name: "a connection", columns: 160, rows: 50, prepare: { $0.place.open(.connection(1)) },
        text: connection160),
    LivePlaceGolden(name: "help", columns: 40, rows: 12, prepare: { $0.showsHelp = true }, text: help40),
]

private let selected80 = """
    wireaudit live  en0, utun4  1:02:05          562 packets/s   503 kB/s  ▁▁▁▁▁▁▁▁▁
    ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface
    bytes          1,060,000   exchanges             32   connections            3
    packets            1,234   in progress            1   open                   2
    packets lost          12   memory           31.2 MB   waiting for key        1
    writes shop_00003.pcapng, 1.10 MB · 14 TLS secrets · filter 'tcp port 443'

    ███████████████████████████████████████████████████████████████▓▓▓▓▓▓░───·····
    █ messages        80.2 %   ▓ carrying         8.8 %   ▒ set-up, closing  0.1 %
    ░ resent           0.1 %   ─ not read         4.7 %   · other            6.1 %

    APIs BY WIRE BYTES                    calls           wire        now   per call
    POST api.example.com /v1/orders          10        441,000   221 kB/s     44,100
    > GET api.e…ple.com /v1/items/{id}       20        440,000   220 kB/s     22,000
    GET img.example.com /…/large.jpg          2         59,000  29.5 kB/s     29,500

    time UTC code       ms        wire   LAST EXCHANGES
    11:02:05  200      0.0         503 ~ GET api.example.com/v1/items/42
    11:02:04  201     12.3       1,398 ~ POST api.example.com/v1/orders
    11:02:03  200     24.7   1,235,065 ! GET api.exampl…catalog/pictures/7/large.jpg
    11:02:02  404     37.0         503   GET api.example.com/v1/items/43
    11:02:01  503     49.4         558   GET api.example.com/
    11:02:00    —     61.7         498 ! GET api.example.com/v1/me
    q quit   ? help   enter open   p freeze   tab hosts   s sort by rate   / filter
    """

private let hosts40 = """
    en0, utun4  1:02:05             503 kB/s
    ! 12 packets lost (1.0 %)
    bytes                1,060,000
    packets                  1,234
    HOSTS BY WIRE BYTES    conn         wire
    api.example.com           2      940,000
    192.0.2.7                 1       55,000
    code    wire   LAST
     200     503 ~ GET api.….com/v1/items/42
     201   1,398 ~ POST api…le.com/v1/orders
     200 1.24 MB ! GET api.…ures/7/large.jpg
    q quit   ? help   p freeze
    """

private let hosts120 = """
    wireaudit live  en0, utun4  1:02:05          562 packets/s   503 kB/s          ▁▂▂▃▃▄▅▅▆▇█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface; they are not counted
    bytes             1,060,000   exchanges                32   connections               3   conne…ions kept 3 of 65,536
    packets               1,234   in progress               1   open                      2   byt… held 1.23 MB of 268 MB
    packets lost             12   memory              31.2 MB   waiting for key           1   API rows        3 of 10,000
    writes shop_00003.pcapng, 1.10 MB in 3 files · 14 TLS secrets · filter 'tcp port 443'

    WHERE THE BYTES WENT            bytes              up            down    share
      headers                      93,500          93,500               0    8.8 %  ██▍
      bodies                      756,500               0         756,500   71.4 %    ███████████████████▉
      packet headers               49,500               0          49,500    4.7 %                        █▎
      acknowledgments              43,610          43,610               0    4.1 %                         █▏
      resent                          890               0             890    0.1 %                          ▏
      opening connections           1,000           1,000               0    0.1 %                          ▏
      undecoded payload            50,000          20,000          30,000    4.7 %                          █▎
      other IP traffic              5,000                                    0.5 %                            ▏
      outside of IP                60,000                                    5.7 %                            █▌
    = bytes of all frames       1,060,000                                  100.0 %  ████████████████████████████

    HOSTS BY WIRE BYTES          protocol   conn    calls          up         down         wire   set-up     unread   no API
    api.example.com                     —      2       32     138,110      801,890      940,000    1,000          0        0
    > 192.0.2.7                         —      1        0      20,000       35,000       55,000        0     50,000   55,000

      time (UTC) code        ms          up        down   LAST EXCHANGES
    11:02:05.123  200       0.0         300         203 ~ GET api.example.com/v1/items/42
    11:02:04.123  201      12.3         300       1,098 ~ POST api.example.com/v1/orders
    11:02:03.123  200      24.7         300   1,234,765 ! GET api.example.com/assets/catalog/pictures/7/large.jpg [drops]
    11:02:02.123  404      37.0         300         203   GET api.example.com/v1/items/43
    11:02:01.123  503      49.4         300         258   GET api.example.com/
    11:02:00.123    —      61.7         300         198 ! GET api.example.com/v1/me [no-response, reset]









    q quit   ? help   enter open   p freeze   tab connections   s sort by calls   / filter
    """

private let connections80 = """
    wireaudit live  en0, utun4  1:02:05          562 packets/s   503 kB/s  _________
    ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface
    bytes          1,060,000   exchanges             32   connections            3
    packets            1,234   in progress            1   open                   2
    packets lost          12   memory           31.2 MB   waiting for key        1
    writes shop_00003.pcapng, 1.10 MB, 14 TLS secrets, filter 'tcp port 443'

    ###############################################################======x---.....
    # messages        80.2 %   = carrying         8.8 %   + set-up, closing  0.1 %
    x resent           0.1 %   - not read         4.7 %   . other            6.1 %

    CONNECTIONS BY WIRE BYTES          conn  http  TLS    calls         wire   state
    img.example.com:80                    1   1.1    -        2    1,235,065    open
    api.example.com:80                    0   1.1    -        4        1,398    open
    10.0.0.2:80                           2   1.1    -        0          558     fin

    time UTC code       ms        wire   LAST EXCHANGES
    11:02:05  200      0.0         503 ~ GET api.example.com/v1/items/42
    11:02:04  201     12.3       1,398 ~ POST api.example.com/v1/orders
    11:02:03  200     24.7   1,235,065 ! GET api.exampl...talog/pictures/7/large.jpg
    11:02:02  404     37.0         503   GET api.example.com/v1/items/43
    11:02:01  503     49.4         558   GET api.example.com/
    11:02:00    -     61.7         498 ! GET api.example.com/v1/me
    q quit   ? help   p freeze   tab APIs   s sort by last packet   / filter
    """

private let api40 = """
    en0, utun4  1:02:05             503 kB/s
    ! 12 packets lost (1.0 %)
    bytes                1,060,000
    packets                  1,234
    GET api.example.com /v1/items/{id}
    wire                   440,000
    code    wire   LAST
     200     503 ~ GET api.….com/v1/items/42
     201   1,398 ~ POST api…le.com/v1/orders
     200 1.24 MB ! GET api.…ures/7/large.jpg
     404     503   GET api.….com/v1/items/43
    q quit   ? help   esc back   p freeze
    """

private let host80 = """
    wireaudit live  en0, utun4  1:02:05  FROZEN             562 packets/s   503 kB/s
    ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface
    bytes          1,060,000   exchanges             32   connections            3
    packets            1,234   in progress            1   open                   2
    packets lost          12   memory           31.2 MB   waiting for key        1
    writes shop_00003.pcapng, 1.10 MB · 14 TLS secrets · filter 'tcp port 443'

    api.example.com
    wire             940,000   connections            2   calls                 32
    protocol               —   share of all      94.0 %   no API                 0
    up               138,110   down             801,890   link, tunnel           0

    ███████████████████████████████████████████████████████████████████████▓▓▓▓▓▓▓
    █ messages        90.4 %   ▓ carrying         9.4 %   ▒ set-up, closing  0.1 %
    ░ resent           0.1 %   ─ not read         0.0 %   · other            0.0 %

    APIs BY WIRE BYTES                    calls           wire        now   per call
    POST api.example.com /v1/orders          10        441,000   221 kB/s     44,100
    GET api.example.com /v1/items/{id}       20        440,000   220 kB/s     22,000




    q quit   ? help   esc back   p go on   s sort by rate   / filter
    """

private let connection160 = """
    wireaudit live  en0, utun4  1:02:05                                                                                                     562 packets/s   503 kB/s
    ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface; they are not counted; a larger --buffer or a narrower --filter loses fewer
    bytes               1,060,000   exchanges                  32   connections                 3   connections kept  3 of 65,536   exchanges kept    6 of 16,384
    packets                 1,234   in progress                 1   open                        2   bytes held  1.23 MB of 268 MB
    packets lost               12   memory                31.2 MB   waiting for key             1   API rows          3 of 10,000
    writes shop_00003.pcapng, 1.10 MB in 3 files · 14 TLS secrets · filter 'tcp port 443'

    connection 1  10.0.0.1:51234 > img.example.com:80
    wire                1,235,065   calls                       2   state                    open   began            11:01:42.000   lasted                  3.0 s
    protocol             http/1.1   TLS                         —   packets                    10   frames                    643   headers                   400
    payload                   103   share of all          123.5 %   server            10.0.0.2:80   client         10.0.0.1:51234   flags                       —

    WHERE THE BYTES WENT            bytes              up            down    share
      headers                          98              60              38   <0.1 %  ▏
      bodies                    1,234,567               0       1,234,567  100.0 %  ███████████████████████████▉
      packet headers                   80              40              40   <0.1 %                             ▏
      acknowledgments                  80              40              40   <0.1 %                             ▏
      opening connections             120              80              40   <0.1 %                             ▏
      closing, keep-alive             120              80              40   <0.1 %                             ▏
    = wire bytes                1,235,065                                  100.0 %  ████████████████████████████

      time (UTC)      conn TLS code      ttfb        ms          up        down   LAST EXCHANGES
    11:02:04.123         1   —  201       2.0      12.3         300       1,098 ~ POST api.example.com/v1/orders
    11:02:01.123         1   —  503       2.0      49.4         300         258   GET api.example.com/

























    q quit   ? help   esc back   p freeze   / filter
    """

private let help40 = """
    en0, utun4  1:02:05             503 kB/s
    ! 12 packets lost (1.0 %)
    KEYS
    arrows j k move     s          sort
    pgup pgdn  page     r          turn
    home end   ends     /          filter
    enter      open     space p    freeze
    esc        back     ?          help
    tab 1 2 3  tables   q          quit
    LIMITS
    connections kept  3 of 65,536
    q quit   ? back
    """
