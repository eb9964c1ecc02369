/// Records of connections between two ends of OpenSSL 3.0.
struct CipherSuiteConnection: Sendable, CustomStringConvertible {
    var suite: UInt16
    var version: UInt16
    var encryptThenMAC = false
    /// In hexadecimal: master secret, client random, server random; in TLS 1.3 the client's handshake and application
    /// traffic secrets.
    var secrets: [String]
    /// What the client sent under keys: Finished, and "hello".
    var records: [String]

    var description: String { "suite \(suite), version \(version)\(encryptThenMAC ? ", encrypt-then-MAC" : "")" }
}

extension CipherSuiteConnection {
    /// Block ciphers, TLS 1.0 to 1.2.
    static let blocks: [CipherSuiteConnection] = [
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0301, encryptThenMAC: false,
            secrets: [
                "c6374a33743f4dd789c358fd15d16522fb88380f2faa6843827faa255925173f04fce68a75b2021a5615d0942af780f4",
                "d50a5b6e4ba8bcb3bd0dbb08f89edee51831e04e2916a4884092740320d76d49",
                "40afe831ed3860ff479bc4156ee0cdf8f05f42ee0a57ff4a83030c97cb267505",
            ],
            records: [
                """
                16030100309ad739d0bedb841d81da2096f1fec349e48cc994b82fc40d9b1f3ba05502db67ccc22b47b8a23b49ecce720816 \
                f4f32a
                """,
                "170301002048a8e18ba8fd5f49f2f4a28a19ddc3f41a9a828bd85d428fdd5e8f2ce8d7144c",
            ]),
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0301, encryptThenMAC: true,
            secrets: [
                "9f39d534886d83c2a2614b5f90e975da1eb3904480dc9c74aaa385d72cacf8847383224b50cb790e62046945c677603a",
                "8ec51e23e1bf000e811821e96d3b53291fa4c5e027a32090557e13ffc9889101",
                "af412d99d5b2856caabfb1536d99c503334673bfcff787ca7b3711835bf456f3",
            ],
            records: [
                """
                1603010034f8a47f7cf2acfb24ed337a2c5fb9b122b15b0246b0156adba59c834ec97314f3a6c7806af05ad64403231419ad \
                bc4dfdda1e1394
                """,
                "170301002457b17c69853fb2ef49f3fcb67e3de07f6093b2d358e21009a744b4cded524eec8794faf4",
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0301, encryptThenMAC: false,
            secrets: [
                "579d26eceeb8626d2fcc12edb5807554a9fdc47e2bbc60ef3ab20eaa04099fc53918a80e3444dcc84b906d292f13d1b7",
                "59b2bc6f656862270ecc157c185b8f69d8b2fc23a04281a0f5d8806445442745",
                "8515309c93037f17bcb4ed33b58b27e3f3f9f8e63e2660f5be2cec91498442e0",
            ],
            records: [
                """
                1603010030b2a814fc6b998b4467cedbd29bf3452bdb5d4715f5b14bbf1781de4da9f9104ea518f2855077138477e0a047d9 \
                1025bc
                """,
                "1703010020e2df6013552103ffcde872fe2a38c541e0696394bfb4d7131d41f07e7bf478e8",
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0301, encryptThenMAC: true,
            secrets: [
                "b0120d9d549ccdf78139b958dfbed915681c49b7e6be5943123632a4a60fc815a52d0597b3b0af46c5f486ca3f843174",
                "ca8d2ab781af563f148c947b0109319611442b6ff6b807c2118eb3a737877376",
                "c8eec8f74ccca18d40ef3ba366c7c5a04b09d4a8fc3fec7439831db3641c9f91",
            ],
            records: [
                """
                1603010034a473ee5cd75f0854db7907ebc470fcb508827126666d438d3db0ddf398574cb8b2774b19cdc058e10b0f0b2bb9 \
                f112690e717a45
                """,
                "17030100243afcb1d1b69db51ab6b9e60fb4bc52542f9c9057caa3e93253876f1a157ddda954aefefa",
            ]),
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0302, encryptThenMAC: false,
            secrets: [
                "d7d7d17c9bdaac16042b96a1f428a74e2a29f713b935d2cac720849b5e13801282709d3524868dc2d2c0d6c2aa857de1",
                "676775c1f0bdd7432275f2e09b21a14e9e061e1a8bd74d4996eb706df993590a",
                "e93bfa9e34a39ddef0f682cb3841fbbb695e6b2fdc73b514916f4b61794f4367",
            ],
            records: [
                """
                1603020040ba655fc6887acee0377f225f7471a93f11b53ed2d2d376b2c17ffe55d1156fd0e50e66d89f723717a89a1756e1 \
                9de62e5b7130f717c143883a5ba9ded88759c7
                """,
                """
                170302003027f3f0e38313ed7789f0bbeac866b9b46140e0fd11550d042a6c9b157ed7de574e31f8a0cbc25d2d38dd25b295 \
                89a394
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0302, encryptThenMAC: true,
            secrets: [
                "2eefb87ff8cd1913d127af5c65bd9b81c783152c00bf22b571d3b530ae19cd1871c97e83832b8a64dad3a501f856faff",
                "ab4f0edb6d5252c22281ac18618defa28d111fbe4607dd1d83bcd145e1e2e9ab",
                "6b6878b426171d9718b250e47017467ed7b62d046138905b64066432b17acfb9",
            ],
            records: [
                """
                160302004440997b9dfb13a3f98e2102a33695c0e03ecda03b4547cd95d8ff4a2692cb2990790d18ed799226259ec93ef3d9 \
                74334d0ebc728e9febc6353e3cd65ec90094d8d6acc256
                """,
                """
                1703020034114b7ccb677915cf258698fa46bda11d24783fef1c4c331bcbb5a7cdffd9f42644cfb8b0fd567873e6092d68f6 \
                59d6757830088c
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0302, encryptThenMAC: false,
            secrets: [
                "99982d55dd07e7cfd893a97f95c24ad70e0a3aa41cf79e05dccef73ee1f08d8f1f6edd04999a8bd43224e2931fca1d8d",
                "4d6f7ccdbd4ce47752087f0bfaa9c571f7af4982aec32ddd2f1586cbdaef67a3",
                "da18f6f0fa3ee917f9ba686af4ce34ce8141bcf02076afbc88beb7e3997aef4a",
            ],
            records: [
                """
                160302004056474cb423352ab87e6778ecdd7a24285cc8b243fac9b3a9253fe4f9c88d759d6b884ca2ff6fe3306a4bc263a0 \
                2c1c95d15811ba9341848f563bf8a78ffdb1ca
                """,
                """
                170302003024a959dc4aa13b4a7421e7af8ec9d839d6950b9ced151da67df103fea44c52d5951f777c488821307a40d90554 \
                8d68ff
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0302, encryptThenMAC: true,
            secrets: [
                "d50a3bf007e16d962d0832155907c200f0c0e81ccf999710d2250eea70923790a0589869634cfbed9b3eda8fb09addb3",
                "93f9ce2cb8941724653e7d3f827d07d57d2183e200a6a629a7e7970b20068b8a",
                "9b6c55008fcb00774259765c686745b5ea43eee575f9bb291378b2b6be1a1544",
            ],
            records: [
                """
                16030200447238b015842e727d5faa0b3aab6b130e45ecc5ed250acc4a6420d43ce8e9b44278fce04c511a942d1416c414c8 \
                8078bbbd9d7350a3efdab27bdee1324e63263b934e6923
                """,
                """
                1703020034b89205946039b0a30c65bc2059b732c5c6f3476d1b89595e929abbdfd4b6493c930e6418b511eaf97c032baa89 \
                380c80e5c95e42
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "b1b3222543e23ffa46032fd40cf7919b79ba94e7a3465a7e1b92439fc8bd3f4ed1e3180651dbb10616641679b644d805",
                "dcfa7dac7ff4c16e635bcb05011ec238921020ad94c1b4b3913903033717463b",
                "0d33f95d053cef6a244474b691095c63af54db92b32537d0f8cc863d24a080f8",
            ],
            records: [
                """
                1603030040ed84a787fd95c21f59cedcfac5d399fc81e3e19045502a28cf93a2d7435b85177a82396853fc18552c71de0db6 \
                537b976298e24334b8581c3eecdb4f7d7d2742
                """,
                """
                1703030030ab47a4d7486eb168d64213a24a5ccf028e53d9a06e744c59bf0754d219d616793863353f02b6deb81ed9bbd5e3 \
                1e5bc9
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x002F, version: 0x0303, encryptThenMAC: true,
            secrets: [
                "7c4b0c8b3f9fefa4c259d9a9d9f9127c098481d9f167ae9fb5dbf158389e5d6ee287b60e7a4fc3f75d6ad086d7b83cd1",
                "a59ba6a7007177870ace66d2e76622a1e0f9758e20061f58d30bcced280f8bbe",
                "154c76b5ffd7012781b0cab08060604d856e3dfd32af1590618c6c0724c11091",
            ],
            records: [
                """
                160303004467bf224ccea609f550ef0862f64755d0d3f819148c428fd3ccf9278e1d51716a88234b83998f38a8f3569a0278 \
                4380848298c5abd276399eaec35b2d729f42c50cc71459
                """,
                """
                17030300345b3a06a5e5fdf1e1ad95bf548c459a29e21854cc3e83b14b471d0bdc259899771bd00a87a5162fbad3123f6d03 \
                31c90bd2f592b0
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "6874362152156337823bc7dc37089c3e22c83d31ebada1e5c087697e277b550dc1f8ed87fc389fd0001c677ac1bf1e80",
                "95367d6db850177149c4a44287cd6d8c79b7767d51cfc23262e961a8905b7383",
                "4918d493ede5e16498ef06bddf24e8db8ed870ef1ef0d46bda8654a1df95ac13",
            ],
            records: [
                """
                1603030040a88a83224c433b03a3ca8fc24d915b557d33c09466d383db45baa92331716d655dd8aed0a91d427b8d9b41e22e \
                4143b8652c75df6c2a8a3e8951b121ba9fff62
                """,
                """
                17030300307592d15cd2f8cf29c2965075170501e60fc0fc4a7c7003bd7f7577d2fb6c71572c1ca8e13b7ca4ab3861a48676 \
                35ae59
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x0084, version: 0x0303, encryptThenMAC: true,
            secrets: [
                "c5b2c798505098debcaa669d85e4c8df52dbc3fb4c666b7deea57ad85604103d3a6e9a36342c10a80494756b6b94c066",
                "c75313ac08553068e457f0f74679e0965ca14882f83b098a5117570e795ff259",
                "1634093f9d0a2a5f01e7433f408777d7b278aadaf5331d9b8c7eef35cb242ce0",
            ],
            records: [
                """
                16030300445410abc5fb9abed36c9a10822d24df8e3fc70228c3fcbfb78fc6ce52ade3ef43fcaaea69ae2d993bbca5ee0700 \
                c9f98932509e4dc5e340c0cb8cf263e19fb4230a6fcbf6
                """,
                """
                170303003469745e6e1ad857209ceacbe6fee50f306acaaada1f6bbfe89f55045ed423016e7e3ba24cf2f2c364c14551768a \
                96d07514c770b4
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x003D, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "7d2d5e5ece535b9aca0c3792982c82d55cf3101396bd45d747e00f54e50d8e9a42e7b58f10adbd9bafd9c123b9ceeade",
                "1e6f85acc6e4fcde0ba3a983990e662f51979cbce383a2a05fc471a91528a852",
                "2d3f10a590dc257a59004c868826c5617c134647219309f9f2ceac1d565c6885",
            ],
            records: [
                """
                1603030050ef2c0513b72e0af0f80794bf43e2af4dc8e7d457841d0fd38bda61f619834a37f3cd260af4caa3dd3af970f2eb \
                e7eb980e1502865d3c67a86384f368b608e52fc08031bd05af2d82ec869c44f3a22d98
                """,
                """
                1703030040fc6da0babbccd5526bfba539721ab8e630e6d3d5ce354e52bd55124b388b1ab319f505652f554c491537ac01a7 \
                14812c18216a3fed8e35e99352f5b2033533be
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x003D, version: 0x0303, encryptThenMAC: true,
            secrets: [
                "68e8763940fdaab8ffbd171c61d1ee9c319f9d84f2903e82515ab218d0c810185edb1c4302f2ab5820cb8407ffcb88d5",
                "c6b6d9ab8853b36779af4b993dd42bbe4d806a58e04e13a5772e81666be822df",
                "6b9944cd46121d3bcf2a976e074f673a827e66338731a5efbe2ab1e1f9678a99",
            ],
            records: [
                """
                1603030050c53ccc8aef3f34d9dabc3eb6902784ab3372600e468e4b56f0a7ac543d922226101da877eb51103d44b0a5205e \
                79c0d1a69feebc2e600f976f81e9a7c0c70c13dd8a74f09de653ee53ffee3edc11d57a
                """,
                """
                17030300401f606489890be5bbbab76f56a5233804802b59e2010640125f9ddc88c0be443f454cab720e3e3b0b834ec3ce1e \
                9ff511bf1f6f3a80cdab2135eca8b3fb013b1e
                """,
            ]),
        CipherSuiteConnection(
            suite: 0xC028, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "923c8d496c124deba099698d5c1a74ae91e0e0d7c7d999895e6d556be80e9668bdb30b9e4cef892fb32313a86f89270f",
                "dcb3fb25d5126af1ee80b566de6415740a0627c808b155ab3d9802ceb4fdf958",
                "8061e80306d6772c080e846ccdb4603f6b45fc6e113cf4eeabd58c0e4f0c16a4",
            ],
            records: [
                """
                1603030060e5acb17addce665fd040da7036f8d6db4e508b6c045e73d44f0f8ed3791d180340c0c771ff2fc6b8d0cfd6d404 \
                6ecc880b97f4aaa1605ebad62851329541f23b78abceae64f7babb48176cc8e27c5a6066fd17efecb5646a9800dfe3071eaa \
                5f
                """,
                """
                1703030050e1fae1a4916541aaa26741d88bef9258e00c999a6d3d0641b30d51c11b9db80dd4e244dfa93a8fd32466ea9615 \
                87172da7bf7c3c5fa8c53cff2a815ab7407fb75c686928a61309dae3eb6193ba2cd863
                """,
            ]),
        CipherSuiteConnection(
            suite: 0xC028, version: 0x0303, encryptThenMAC: true,
            secrets: [
                "3679644982586f706026db6ce6fb7839f728b850550b00c18fd1ddfa7b8183acedc73593775806a7e5b59ad5a450e16c",
                "252a662a8c087049ea118b5c978a73a8506c6382053996f2a0b465e5365a4bfa",
                "55c0a73c8a96ae007c2749e5114cdf6a364de6a4361614c1a1db36fd1768a826",
            ],
            records: [
                """
                16030300606e4c7aacbcbb2229bd793adff658f097e9905710dfd974026d42a55fe7f9f4a2e0954497af176d75df44d824f6 \
                f4de7b4b46f1f1d820bc9ae5cfe8c7f5438d3c2b057b613aa4c2a1ee7d30728c2c1d640641357dc0c9fe65042a8879b2ee71 \
                8b
                """,
                """
                170303005060e68ea6815c272c4b0ca5af114da64bfdf9e38d5a8f18827cfdd951d0f6bfaf2c29fdedee3cc883523ac6b005 \
                1f649e3e2892d687f45cea3c8e47c93c9e1c475948737a4b8ae8b9d5cd4457f94783b4
                """,
            ]),
    ]
}
