extension CipherSuiteConnection {
    /// TLS 1.3, half of them padded to multiples of 64 bytes.
    static let latest: [CipherSuiteConnection] = [
        CipherSuiteConnection(
            suite: 0x1301, version: 0x0304,
            secrets: [
                "0a538500e877c4ce71d53e807183493fa47e29523f43818181f73f2ffdb75437",
                "7f7752541fb8cd088ea10866003bec948f4d81293ee341a0c0040e7b3682740c",
            ],
            records: [
                """
                1703030035a748a3accd1ce1e717a898a9d5b864a235ce31260f844a98e61144d927ca665b982df92cf300976424f5dba4d9 \
                56da03d151251069
                """,
                "1703030016192d0d00c511b4d8dec539e8572dab428c08b15e6e7b",
            ]),
        CipherSuiteConnection(
            suite: 0x1301, version: 0x0304,
            secrets: [
                "75ff0d13464350b84da73705f5500565c974f260cecc34309ee48ce0ec4f40b2",
                "d53c9dbc68fb38276bf4a1bb3a29a4eaf9931f5ee67700635b5f2dc6b4d4d9a2",
            ],
            records: [
                """
                1703030050e6e8597728be8b6fec92d7f2a7711a225296d057ce436da5f82f91cda1d39f4b2b71b77b57a64efcb2ed227e81 \
                20b4b7f6e7315100f523f7caabcebff8c2a3a51ec1e80183429bd7863e946996e53d49
                """,
                """
                1703030050033562082cc95228e51c260f6819c13d92c495d92006934a08edbdeffbd100d060b9fc670c7be33c6210625654 \
                0fc9a3be37a6b31e341ea9f50120a477653aaea878cb0327fd6f94649e62a9a2266dc0
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x1302, version: 0x0304,
            secrets: [
                "9b8abf9bbab0b1b387a3bd2e8c01616fd7769e178cf9a63533f832dd500c0915fbb32776ef068387d4dfb1b484dc63dc",
                "32cb6721831dde623c383d8269add0a2cee90d46d6a3b012b61af338e8d110702c06c77b18313b22bf1e6d460adc8d8f",
            ],
            records: [
                """
                170303004523754dc8f737c57e45fb07339015ba7d2ae7d086f196bbf242e10eb3ab5dc8bee19cb8e76aef928255a156d2dc \
                8cee0029457f2932c7d46add0e213ae04771e9b0bc271011
                """,
                "1703030016c91a7879a39cf90ded1030d468d67bdbc8da827c5b6f",
            ]),
        CipherSuiteConnection(
            suite: 0x1302, version: 0x0304,
            secrets: [
                "7ae31f00db0b9a167575ee1a7cbd41df2ec20d401d20dffe1d5569f8f5e993fd653d8a1f8926bc04ef2bcebe4c2fc851",
                "a78b610e38771461a49673b60c00af4cf9ebf1fffec33693457e63e980b00aa9bc4fb1320c1834a79d53c726f445f22a",
            ],
            records: [
                """
                17030300505d2d5b1cc0932621ba1874c5c08661e3e69bb28d59a4a53e61edacc2a65701ff7706c778d0345f725e0b9c7858 \
                b9e67508df4dee8a5566662d5965691a65675a80dfcab55136a11736f1f03e3e025e5f
                """,
                """
                17030300504e7baa55592ccb463679254f0bb8953790d3c728c3d9652ef17b8088a60ba4386ab3187bc87c0a7d8238eed4ff \
                b721fcab845b2e72b99ff6971e7124b5c1ce280d9571779f0a5423debd55f5b3fff6e9
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x1303, version: 0x0304,
            secrets: [
                "cb96fcc371fc65fafaa47f095be257818672687144f29835718ede1310785995",
                "5598fb0fe73acc62d45c67a7e91453366daec8a667c4d528755c0b75435f140f",
            ],
            records: [
                """
                170303003543b75cb2dda4827704324a288fef797234bb0b76821b641078c4f51315cfd69ccf0de4961b4dd9be9831d114a3 \
                264bc147d544b524
                """,
                "170303001646b780edf0c848011f45d1ac1928b2d6537d7f2962fc",
            ]),
        CipherSuiteConnection(
            suite: 0x1303, version: 0x0304,
            secrets: [
                "373fc2378b277eae8a55cb79417dfc301110b939acad6715c571db4038467cd3",
                "5b6fcc3443f9bf9c420a51a1d6e88f11b87c213778b35cc279584f1f3605d579",
            ],
            records: [
                """
                17030300502d219865bf96843166e9466079d5cedaeac5fd2b7238af726ad1b5e928313813a788c4e3a869d393905af6450f \
                e912678c429f0364e7d21e4d4a7e8f000d40bca6121acf563e540c2b9b2c6edb8c4871
                """,
                """
                1703030050214ff092f14c5d1ec0b7e82323e7d09c3bfefa723e07239dbd1e08e3bd24b5b56c4393bac5fa564411481ca24e \
                3b5eea8e27b18ded6d59d01516808335ba62e7213baa27e6c95c439ed970412e2274bb
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x1304, version: 0x0304,
            secrets: [
                "e7e2e6231644a6948bad58a8d3ffb92e663302cfb5b0354400ac4fa78418e110",
                "0969d9e4d122a16a34e2f8a52156df7958b3b6706eb080006b725fcb01c2eeee",
            ],
            records: [
                """
                1703030035445e015f95b8f3225119fd576cbb2b837e9c20b5a02c33266902bca81b18cdd687a762d41dd8f2aa902bc6e153 \
                562d8f4c98a2050e
                """,
                "1703030016f0cb35f723f17c576d513b9b10590bb1301623a900f4",
            ]),
        CipherSuiteConnection(
            suite: 0x1304, version: 0x0304,
            secrets: [
                "60f0c630f2716dc0d804436971f916d10afa97e30c7825ee580a7c618ba2607c",
                "ada18e12bd5dd398b52fabfcddebbfb0172ee5d87d39d26ed99060eba1b1ed65",
            ],
            records: [
                """
                1703030050700c122d2a4baf79edd6a9790b76f8aba718339aab45fdefbb349cfe89712555d8f041eb77b1f6282142544025 \
                26e4e1245cdc1d671cdfc018e65e32777ee54e7abeade3d70a64cb1ce7f1c867bff463
                """,
                """
                170303005079fbb51d417651c2062871ad0364384814b829d41751bcd7ffcd6c96f179baa0c02e4e344a07b04c9e145dc303 \
                bfef7dffb8cef32b81cc818916bc1efecfd9146235531be6ced29519a24d01960e0951
                """,
            ]),
        CipherSuiteConnection(
            suite: 0x1305, version: 0x0304,
            secrets: [
                "fa7bd3a6938f3644d7e986a9afd04d08d377291ebdcb9067e50750840cd5fa8a",
                "c223280e93be56d66289ba9fc37b7c388993bbe8b638d67159806ce75b907c7e",
            ],
            records: [
                "170303002d6025246e55bf1eabe2aecab0cf24e409fb810583b57af7f7e96c7f339f98c9d85042d9445ce85434bd2577855e",
                "170303000e4568428b4fb32d6371fb04d61e56",
            ]),
        CipherSuiteConnection(
            suite: 0x1305, version: 0x0304,
            secrets: [
                "e657571626469337921d8677156c533f0799187c47a4574a2013d0176d2b2d3e",
                "7f9bbb1d6319306147b2151c7c7ddfec911c334fbb82aa25d2e1dedbe3bec822",
            ],
            records: [
                """
                1703030048a2c1fe4d407721dea6a305bca1d389b646400512d82311e9d12934eb0e909d05057aaacc7ce395263be1698fc8 \
                b7a7773bb6ab0f2dfb71b437062b1bcd6534b0570a131a073d0ec2
                """,
                """
                170303004813dd1ad5a5d016116f3451c9e2c5bd2199ec04445a9fc44a5c6c35e08e64aad39876d4311c4ffb1127cecb16af \
                00b4a6f07aacfbeac5dd7891e666383e814fe9752b5fdb51ea6bf8
                """,
            ]),
    ]
}
