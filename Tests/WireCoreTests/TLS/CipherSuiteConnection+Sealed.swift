extension CipherSuiteConnection {
    /// The other ciphers, TLS 1.0 to 1.2.
    static let others: [CipherSuiteConnection] = [
        CipherSuiteConnection(
            suite: 0x0002, version: 0x0301, encryptThenMAC: false,
            secrets: [
                "ad6c77ce523823df6f99589557871cebf37c795085ea64da7e74501aa00dbe966a33507711a1ca1e67b43edc9ca47beb",
                "7e44fd44fe5062f3570f2e34376b8fd87826f08952c2d57e6ec74e8801a3eab5",
                "5cb9a8ad5c75c963a0ed7c7980158e0b29687fd3e4d02a60d8668a330e978fdb",
            ],
            records: [
                "16030100241400000c56c554bacb58b30ccfb4f6ef3b131277b12dbb3e0de4d793ded0f534d052fd39",
                "170301001968656c6c6f440e29d2cd4b7e41874ee865d05f07187950fc4c",
            ]),
        CipherSuiteConnection(
            suite: 0x003B, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "768f2a3e445d513427e99be8aab6f9e0d01dd8446120050b876d07a1261369eb24d14a2c2bc4bcaea831276381ca282e",
                "641cb1afa9bbaae3393586cc6d173dac636ed30572078d62d6b03ea5024f5344",
                "a9ca515cadbccc5e97ccde38cefeb4a7fd6b5f02e7f1fca74e0905c7244268d6",
            ],
            records: [
                """
                16030300301400000c1e043ed434bab1f4a48fb4e584e6f7cc3c7f5b6fa70610448941cf0f3fec01269c4a9e3ea4a533515c \
                822550
                """,
                "170303002568656c6c6ff40c1e5f10cb8722c265f0a0ee36aa19aa6da29195f76fe27ea2c0adb8718957",
            ]),
        CipherSuiteConnection(
            suite: 0x0001, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "dc6a55f0f17516cfcf80e4eec5523194533e76cb5aebdecdaf3a0b43d9396ee4ed74a1d83ff2891d61de882c7273bf06",
                "1ed4d3002ca5b27dd6de90c0409b7785d81eb8a9bef46776d4798845fc794ccb",
                "44e0df96f0b90b65e5275a46d54ed1e71519c189c5094a6e2bbe8aa0c50189b3",
            ],
            records: [
                "16030300201400000c08a1aff08c689e9fe6e39ada0fab4277875b20dd73262f7eb99b33fa",
                "170303001568656c6c6fcd4813c53278a4761bacffe3829556bb",
            ]),
        CipherSuiteConnection(
            suite: 0x009C, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "063a93bcc5a32c8540509f30fba65bc1d3bc81910f813d7151c5259adfb6a59c7dbf6e384d8ab28b14c5c31a99eb7e15",
                "841a3099e400a721eb93d8a67adf4faef4041de75e694e4881c813df4c32ddf8",
                "73915ef825a3d90184f0e99a5d727612c4e347a515f157caeee4457d4461641e",
            ],
            records: [
                "16030300280f8eba83c11c2bb4a9fa2867cf1d1e5e6db955d22861bcb1f3adf48b7b52c3bcaea1e48048f038bc",
                "170303001d0f8eba83c11c2bb5e01c6b66cbf64107a6ec205a230aaf97c0579082fd",
            ]),
        CipherSuiteConnection(
            suite: 0xC030, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "01db5ada01eff787cd6129aaf0f0d226b3e02ab8ad1d0fe22aa0bb0c80b4cf919630feacad75d70d4d23320ba26ccd93",
                "bbf868d6d9bd1c739ec7865c53fed24cf0ad48450f8b09e9777a96b27fb4f0dc",
                "9c2f7258d4992346d8fe026d3a2b2bd45ec800ffea357d6be67e96d2199dab9c",
            ],
            records: [
                "160303002862280af49a31ccb7494a7ffcdf36de217132b73309315448c3cd83fb81469b34eeccc5d0eb708145",
                "170303001d62280af49a31ccb8b5f88d0d1024c1876bd975699fbd91e303e7fa1798",
            ]),
        CipherSuiteConnection(
            suite: 0xC09C, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "8b57b6e3f9a6d48c95065987ba8cbcfce8c1a646bb40cf2c4dec9da101a01797605f2bd345c3e1915bb54c7114a637cb",
                "9a65a98939ffe5c0ab44c2ebfa7fe8cbf3243f3917dab83e57e2c982a37fb85b",
                "d2c7faebc19418bccef6a9577bdbf0956df2b688e6f59e0f405a773245e9939e",
            ],
            records: [
                "1603030028000000000000000044b0845870683d3458702f3be7cc6bf64b182c9fcaec95f6db55dadbe24993cc",
                "170303001d0000000000000001a282eb887b74ea0acf210f74dbe0fbf94b94fb811f",
            ]),
        CipherSuiteConnection(
            suite: 0xC0A1, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "40b9706c659a56ae8661b74c24dd1daf7d9d0cc9365024175c257f0703f1c261ef49705ed3f36217e345f75c64419ddd",
                "ea0814828a3f22024b59b2f1c12133b333df70b8f3d69217897aa2725b6658a5",
                "927741768fb60ed3b111d9b54a9353a73a48736cde28888e2d143e1349c4eed7",
            ],
            records: [
                "160303002000000000000000003c16666e789a12bf0939a135ac73d9f31482ee78246846ba",
                "17030300150000000000000001d750c273cb558543b7cb92d359",
            ]),
        CipherSuiteConnection(
            suite: 0xC09F, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "c35acf13abf820e63fc5193107d6bacb2514ed1ba1ab629d1e9cb85bd95604199391b2fa5217025b9e77c270c92edd0d",
                "203f5dc9a01f95fb06cc508a28418c6a0473721836588ed6d937132de23090af",
                "170248525092acffd70ae88d52bccf2ab67f0326edff9d52e1611cd82e0e9dcc",
            ],
            records: [
                "16030300280000000000000000bb4c7127d2bae138d901b112b325ae7df35a78d3e292d7303c2bd241d208db6c",
                "170303001d00000000000000011105dd4573377c27a82b943847a4d4ed58047cc5ab",
            ]),
        CipherSuiteConnection(
            suite: 0xCCA9, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "8466cc02403c461f7012ab32ecb235ca51833e19dfc6ca603fc4cc77a71d6790df0f1f83fb449c940bad056026a310f0",
                "905c4e644d3d897a420ee3ac6fbb7668b1f04cd47b2bcc848aa58aa14a18a6cf",
                "cf63a54e96fc0e49d42c0795b1d5e6daf4785c861a23ddf6f35b380d5b9832c3",
            ],
            records: [
                "1603030020703831a3e216f31153b2bb8d7ddd53a9fdb94be9edb34b99dbcb0dbd44afb93c",
                "1703030015f970a340291e21443f7ec5bfa66b57f7a8da450178",
            ]),
        CipherSuiteConnection(
            suite: 0xCCAD, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "2aff3780dd7795f8921899d1e3878e8c5869e424f6fc7ab2d39a204623415bc9d5ceb564c85d1e4e154c3f2bcb4d4968",
                "4933e0cb52379f93047827da50fcdd24c43dfecc7f4f4907c4bcfb53f93cffd5",
                "2e60cb06f364c061af149a0a44d934659744a135f95fea3c6f33f0147efd0f9b",
            ],
            records: [
                "1603030020f67888d52970a8e3eeb86c9b4029c5c641d763ba05f733106dc323bd4d337cdf",
                "1703030015f8f8dcad94bfb4c282b50992ce4a7588a74425d2d2",
            ]),
        CipherSuiteConnection(
            suite: 0xC060, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "5460273f4103ae4bcec3849358f5ba1b7e83142885dbd9ab836d6226e4a3e0432c90fef0dc5afde3348c00459f8566f8",
                "870984dfaae077246a4f6ac41f2b37e36a90a71f3305231d5e03598a6d0cb578",
                "74b1eb6fa37285460d3b3d836595cf8100832ba7e20088caef1d1cd31261d56a",
            ],
            records: [
                "160303002853ecaa89a8be0f5c26418973bd03103fbb6f46e0cb410e4b3114b52cde4db037f3b168883fb28604",
                "170303001d53ecaa89a8be0f5def728aa1d0b6528a578ba328d63774126e073bacdc",
            ]),
        CipherSuiteConnection(
            suite: 0xC051, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "cf4325d4c855970248967335cf7385ccf1f2ff918be9caad8c6a4afee3469fe3a79e34eaea0539f20a2838e16217eb4e",
                "f45f2db48861efaae23008857e0e2eb72a5124dcd2aabb4cf4231cf78465ab3e",
                "cdff11b40d816d07f952f5a032f037bd47d3568672bce53ecf6e3d758220527d",
            ],
            records: [
                "160303002821447b85c4d2f0bcf6abb244b0982986e951354895420b05aefcb5057a28241f76e87bac760654ff",
                "170303001d21447b85c4d2f0bde08f9e8002fbde963273b95ac6164097bbc4fddfa0",
            ]),
        CipherSuiteConnection(
            suite: 0x00A7, version: 0x0303, encryptThenMAC: false,
            secrets: [
                "0acf80d92e599b84c8a188e5c008873a79d62d1467731a5bc3b0fcf3447d73968887a54db641d8c23ff43b2c47b10df6",
                "854b0bdf1da62920cb4c777df12740c24e42cb02f22bd88550398238e74220fd",
                "5b18b56bd83e82121e3e3ff32dc2fa3b40147ef952984cb898b091423be3931c",
            ],
            records: [
                "16030300288a63a3c23fd1eeea269624feb1a5a15c6c950e59e9db5a08abeeee95621114c70205b657d8cdef46",
                "170303001d8a63a3c23fd1eeebbc7d593399ce7593b6e849d7bfa644c8ae1fac363e",
            ]),
    ]
}
