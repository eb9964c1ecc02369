import WireRecords

// Screens of `sampleLive` where everything must be ASCII.

let plain20 = LiveGolden(
    columns: 20, rows: 5, unicode: false,
    text: """
        e...n4      503 kB/s
        ! 12 packets lost
        bytes      1,060,000
        POS...rders  441,000
        ... 2 more   499,000
        """)

let plain40 = LiveGolden(
    columns: 40, rows: 12, unicode: false,
    text: """
        en0, utun4  1:02:05             503 kB/s
        ! 12 packets lost (1.0 %)
        bytes                1,060,000
        packets                  1,234
        APIs BY WIRE BYTES       wire        now
        POST a... /v1/orders  441,000   221 kB/s
        GET ap.../items/{id}  440,000   220 kB/s
        GET im...}/large.jpg   59,000  29.5 kB/s
        code    wire   LAST
         200     503 ~ GET api....om/v1/items/42
         201   1,398 ~ POST api....com/v1/orders
        q quit   ? help   p freeze   tab hosts
        """)

let plain80 = LiveGolden(
    columns: 80, rows: 24, unicode: false,
    text: """
        wireaudit live  en0, utun4  1:02:05          562 packets/s   503 kB/s  _________
        ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface
        bytes          1,060,000   exchanges             32   connections            3
        packets            1,234   in progress            1   open                   2
        packets lost          12   memory           31.2 MB   waiting for key        1
        writes shop_00003.pcapng, 1.10 MB, 14 TLS secrets, filter 'tcp port 443'

        ###############################################################======x---.....
        # messages        80.2 %   = carrying         8.8 %   + set-up, closing  0.1 %
        x resent           0.1 %   - not read         4.7 %   . other            6.1 %

        APIs BY WIRE BYTES                    calls           wire        now   per call
        POST api.example.com /v1/orders          10        441,000   221 kB/s     44,100
        GET api.example.com /v1/items/{id}       20        440,000   220 kB/s     22,000
        GET img.example.com /.../large.jpg        2         59,000  29.5 kB/s     29,500

        time UTC code       ms        wire   LAST EXCHANGES
        11:02:05  200      0.0         503 ~ GET api.example.com/v1/items/42
        11:02:04  201     12.3       1,398 ~ POST api.example.com/v1/orders
        11:02:03  200     24.7   1,235,065 ! GET api.exampl...talog/pictures/7/large.jpg
        11:02:02  404     37.0         503   GET api.example.com/v1/items/43
        11:02:01  503     49.4         558   GET api.example.com/
        11:02:00    -     61.7         498 ! GET api.example.com/v1/me
        q quit   ? help   p freeze   tab hosts   s sort by rate   / filter
        """)

let plain120 = LiveGolden(
    columns: 120, rows: 40, unicode: false,
    text: """
        wireaudit live  en0, utun4  1:02:05          562 packets/s   503 kB/s          _..::-==+*#______________________________
        ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface; they are not counted
        bytes             1,060,000   exchanges                32   connections               3   conn...ons kept 3 of 65,536
        packets               1,234   in progress               1   open                      2   by...held 1.23 MB of 268 MB
        packets lost             12   memory              31.2 MB   waiting for key           1   API rows        3 of 10,000
        writes shop_00003.pcapng, 1.10 MB in 3 files, 14 TLS secrets, filter 'tcp port 443'

        WHERE THE BYTES WENT            bytes              up            down    share
          headers                      93,500          93,500               0    8.8 %  ##
          bodies                      756,500               0         756,500   71.4 %    ###################-
          packet headers               49,500               0          49,500    4.7 %                        #
          acknowledgments              43,610          43,610               0    4.1 %                         #
          resent                          890               0             890    0.1 %                          -
          opening connections           1,000           1,000               0    0.1 %                          -
          undecoded payload            50,000          20,000          30,000    4.7 %                          #
          other IP traffic              5,000                                    0.5 %                            -
          outside of IP                60,000                                    5.7 %                            #-
        = bytes of all frames       1,060,000                                  100.0 %  ############################

        APIs BY WIRE BYTES                               calls           wire        now   per call    share   overhead   resent
        POST api.example.com /v1/orders                     10        441,000   221 kB/s     44,100   44.1 %     10.3 %    0.1 %
        GET api.example.com /v1/items/{id}                  20        440,000   220 kB/s     22,000   44.0 %     10.0 %    0.1 %
        GET img.example.com /.../{id}/large.jpg              2         59,000  29.5 kB/s     29,500    5.9 %     18.0 %    0.2 %

          time (UTC) code        ms          up        down   LAST EXCHANGES
        11:02:05.123  200       0.0         300         203 ~ GET api.example.com/v1/items/42
        11:02:04.123  201      12.3         300       1,098 ~ POST api.example.com/v1/orders
        11:02:03.123  200      24.7         300   1,234,765 ! GET api.example.com/assets/catalog/pictures/7/large.jpg [drops]
        11:02:02.123  404      37.0         300         203   GET api.example.com/v1/items/43
        11:02:01.123  503      49.4         300         258   GET api.example.com/
        11:02:00.123    -      61.7         300         198 ! GET api.example.com/v1/me [no-response, reset]








        q quit   ? help   p freeze   tab hosts   s sort by rate   / filter
        """)

let plain200 = LiveGolden(
    columns: 200, rows: 60, unicode: false,
    text: """
        wireaudit live  en0, utun4  1:02:05                                                                                                                                             562 packets/s   503 kB/s
        ! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface; they are not counted; a larger --buffer or a narrower --filter loses fewer
        bytes                1,060,000   exchanges                   32   connections                  3   connections kept   3 of 65,536   exchanges kept     6 of 16,384
        packets                  1,234   in progress                  1   open                         2   bytes held   1.23 MB of 268 MB
        packets lost                12   memory                 31.2 MB   waiting for key              1   API rows           3 of 10,000
        writes shop_00003.pcapng, 1.10 MB in 3 files, 14 TLS secrets, filter 'tcp port 443'

        WHERE THE BYTES WENT            bytes              up            down    share                                  INTERFACES                                             packets            bytes     lost
          headers                      93,500          93,500               0    8.8 %  ##                              en0, Wi-Fi, Ethernet                                     1,200        1,050,000       12
          bodies                      756,500               0         756,500   71.4 %    ###################-          utun4, raw IP                                               34           10,000        0
          packet headers               49,500               0          49,500    4.7 %                        #
          acknowledgments              43,610          43,610               0    4.1 %                         #        BYTES IN A SECOND                                                         peak 10.0 kB/s
          resent                          890               0             890    0.1 %                          -                                                                #
          opening connections           1,000           1,000               0    0.1 %                          -                                                              .##
          undecoded payload            50,000          20,000          30,000    4.7 %                          #                                                            .####
          other IP traffic              5,000                                    0.5 %                            -                                                         ######
          outside of IP                60,000                                    5.7 %                            #-                                                      .#######
        = bytes of all frames       1,060,000                                  100.0 %  ############################                                                    .#########

        APIs BY WIRE BYTES                                                             calls        message           wire        now   per call    share   overhead   set-up   resent
        POST api.example.com /v1/orders                                                   10        400,000        441,000   221 kB/s     44,100   44.1 %     10.3 %    0.2 %    0.1 %  ######################==
        GET api.example.com /v1/items/{id}                                                20        400,000        440,000   220 kB/s     22,000   44.0 %     10.0 %    0.0 %    0.1 %  #####################==
        GET img.example.com /assets/catalog/pictures/{id}/large.jpg                        2         50,000         59,000  29.5 kB/s     29,500    5.9 %     18.0 %    0.0 %    0.2 %  ###

          time (UTC)      conn TLS code      ttfb        ms          up        down   LAST EXCHANGES
        11:02:05.123         0   -  200       2.0       0.0         300         203 ~ GET api.example.com/v1/items/42
        11:02:04.123         1   -  201       2.0      12.3         300       1,098 ~ POST api.example.com/v1/orders
        11:02:03.123         2   -  200       2.0      24.7         300   1,234,765 ! GET api.example.com/assets/catalog/pictures/7/large.jpg [drops]
        11:02:02.123         0   -  404       2.0      37.0         300         203   GET api.example.com/v1/items/43
        11:02:01.123         1   -  503       2.0      49.4         300         258   GET api.example.com/
        11:02:00.123         2   -    -       2.0      61.7         300         198 ! GET api.example.com/v1/me [no-response, reset]




























        q quit   ? help   p freeze   tab hosts   s sort by rate   / filter
        """)
