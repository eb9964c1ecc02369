import Testing
import WireNative

/// The records of RFC 8448, sections 3 and 4, under the traffic secrets of these traces.
@Suite("Records of the example handshakes")
struct TLSTraceTests {
    struct Record: Sendable {
        var type: UInt8
        var bytes: [UInt8]
        var content: [UInt8]

        init(_ type: UInt8, _ bytes: String, _ content: String) {
            self.type = type
            self.bytes = HexadecimalText.bytes(bytes)
            self.content = HexadecimalText.bytes(content)
        }
    }

    struct Direction: Sendable, CustomStringConvertible {
        var description: String
        var secret: [UInt8]
        var records: [Record]

        init(_ description: String, _ secret: String, _ records: [Record]) {
            self.description = description
            self.secret = HexadecimalText.bytes(secret)
            self.records = records
        }
    }

    @Test("each record opens to what was sent", arguments: directions)
    func records(direction: Direction) throws {
        let cipher = RecordCipher.aesGCM(keyLength: 16)
        let traffic = try #require(
            TLSKeySchedule.trafficKey(secret: direction.secret, cipher: cipher, digest: .sha256))
        let decryptor = try #require(
            RecordDecryptor(
                cipher, version: 0x0304, key: traffic.key, iv: traffic.iv, macKey: [], encryptThenMAC: false))
        var output: [UInt8] = []
        for (sequence, record) in direction.records.enumerated() {
            #expect(decryptor.open(record.bytes, UInt64(sequence) + 1, into: &output) == nil)
            let opened = try #require(decryptor.open(record.bytes, UInt64(sequence), into: &output))
            #expect(opened.contentType == record.type)
            #expect(Array(output[opened.content]) == record.content)
            #expect(opened.lead == 5)
            #expect(opened.trail == 17)
            #expect(5 + record.content.count + 17 == record.bytes.count)
        }
    }

    private static let data = """
        000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f \
        3031
        """

    static let directions = [
        Direction(
            "§3 server, handshake", "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38",
            [
                Record(
                    22,
                    """
                    17030302a2d1ff334a56f5bff6594a07cc87b580233f500f45e489e7f33af35edf7869fcf40aa40aa2b8ea73f848 \
                    a7ca07612ef9f945cb960b4068905123ea78b111b429ba9191cd05d2a389280f526134aadc7fc78c4b729df828b5 \
                    ecf7b13bd9aefb0e57f271585b8ea9bb355c7c79020716cfb9b1183ef3ab20e37d57a6b9d7477609aee6e122a4cf \
                    51427325250c7d0e509289444c9b3a648f1d71035d2ed65b0e3cdd0cbae8bf2d0b227812cbb360987255cc744110 \
                    c453baa4fcd610928d809810e4b7ed1a8fd991f06aa6248204797e36a6a73b70a2559c09ead686945ba246ab66e5 \
                    edd8044b4c6de3fcf2a89441ac66272fd8fb330ef8190579b3684596c960bd596eea520a56a8d650f563aad27409 \
                    960dca63d3e688611ea5e22f4415cf9538d51a200c27034272968a264ed6540c84838d89f72c24461aad6d26f59e \
                    caba9acbbb317b66d902f4f292a36ac1b639c637ce343117b659622245317b49eeda0c6258f100d7d961ffb13864 \
                    7e92ea330faeea6dfa31c7a84dc3bd7e1b7a6c7178af36879018e3f252107f243d243dc7339d5684c8b0378bf302 \
                    44da8c87c843f5e56eb4c5e8280a2b48052cf93b16499a66db7cca71e4599426f7d461e66f99882bd89fc50800be \
                    cca62d6c74116dbd2972fda1fa80f85df881edbe5a37668936b335583b599186dc5c6918a396fa48a181d6b6fa4f \
                    9d62d513afbb992f2b992f67f8afe67f76913fa388cb5630c8ca01e0c65d11c66a1e2ac4c85977b7c7a6999bbf10 \
                    dc35ae69f5515614636c0b9b68c19ed2e31c0b3b66763038ebba42f3b38edc0399f3a9f23faa63978c317fc9fa66 \
                    a73f60f0504de93b5b845e275592c12335ee340bbc4fddd502784016e4b3be7ef04dda49f4b440a30cb5d2af9398 \
                    28fd4ae3794e44f94df5a631ede42c1719bfdabf0253fe5175be898e750edc53370d2b
                    """,
                    """
                    080000240022000a00140012001d00170018001901000101010201030104001c00024001000000000b0001b90000 \
                    01b50001b0308201ac30820115a003020102020102300d06092a864886f70d01010b0500300e310c300a06035504 \
                    031303727361301e170d3136303733303031323335395a170d3236303733303031323335395a300e310c300a0603 \
                    550403130372736130819f300d06092a864886f70d010101050003818d0030818902818100b4bb498f8279303d98 \
                    0836399b36c6988c0c68de55e1bdb826d3901a2461eafd2de49a91d015abbc9a95137ace6c1af19eaa6af98c7ced \
                    43120998e187a80ee0ccb0524b1b018c3e0b63264d449a6d38e22a5fda430846748030530ef0461c8ca9d9efbfae \
                    8ea6d1d03e2bd193eff0ab9a8002c47428a6d35a8d88d79f7f1e3f0203010001a31a301830090603551d13040230 \
                    00300b0603551d0f0404030205a0300d06092a864886f70d01010b05000381810085aad2a0e5b9276b908c65f73a \
                    7267170618a54c5f8a7b337d2df7a594365417f2eae8f8a58c8f8172f9319cf36b7fd6c55b80f21a030151567260 \
                    96fd335e5e67f2dbf102702e608ccae6bec1fc63a42a99be5c3eb7107c3c54e9b9eb2bd5203b1c3b84e0a8b2f759 \
                    409ba3eac9d91d402dcc0cc8f8961229ac9187b42b4de100000f000084080400805a747c5d88fa9bd2e55ab085a6 \
                    1015b7211f824cd484145ab3ff52f1fda8477b0b7abc90db78e2d33a5c141a078653fa6bef780c5ea248eeaaa785 \
                    c4f394cab6d30bbe8d4859ee511f602957b15411ac027671459e46445c9ea58c181e818e95b8c3fb0bf3278409d3 \
                    be152a3da5043e063dda65cdf5aea20d53dfacd42f74f3140000209b9b141d906337fbd2cbdce71df4deda4ab42c \
                    309572cb7fffee5454b78f0718
                    """)
            ]),
        Direction(
            "§3 client, handshake", "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21",
            [
                Record(
                    22,
                    """
                    170303003575ec4dc238cce60b298044a71e219c56cc77b0517fe9b93c7a4bfc44d87f38f80338ac98fc46deb384 \
                    bd1caeacab6867d726c40546
                    """,
                    "14000020a8ec436d677634ae525ac1fcebe11a039ec17694fac6e98527b642f2edd5ce61")
            ]),
        Direction(
            "§3 server, application", "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643",
            [
                Record(
                    22,
                    """
                    17030300de3a6b8f90414a97d6959c3487680de5134a2b240e6cffac116e95d41d6af8f6b580dcf3d11d63c758db \
                    289a015940252f55713e061dc13e078891a38efbcf5753ad8ef170ad3c7353d16d9da773b9ca7f2b9fa1b6c0d4a3 \
                    d03f75e09c30ba1e62972ac46f75f7b981be63439b2999ce13064615139891d5e4c5b406f16e3fc181a77ca47584 \
                    0025db2f0a77f81b5ab05b94c01346755f69232c86519d86cbeeac87aac347d143f9605d64f650db4d023e70e952 \
                    ca49fe5137121c74bc2697687e248746d6df353005f3bce18696129c8153556b3b6c6779b37bf15985684f
                    """,
                    """
                    040000c90000001efad6aac502000000b22c035d829359ee5ff7af4ec900000000262a6494dc486d2c8a34cb33fa \
                    90bf1b0070ad3c498883c9367c09a2be785abc55cd226097a3a982117283f82a03a143efd3ff5dd36d64e861be7f \
                    d61d2827db279cce145077d454a3664d4e6da4d29ee03725a6a4dafcd0fc67d2aea70529513e3da2677fa5906c5b \
                    3f7d8f92f228bda40dda721470f9fbf297b5aea617646fac5c03272e970727c621a79141ef5f7de6505e5bfbc388 \
                    e93343694093934ae4d3570008002a000400000400
                    """),
                Record(
                    23,
                    """
                    17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb501a \
                    59a8fcc49c4bf2e5f0a21c0047c2abf332540dd032e167c2955d
                    """,
                    data),
                Record(21, "1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9", "0100"),
            ]),
        Direction(
            "§3 client, application", "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5",
            [
                Record(
                    23,
                    """
                    1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a2044 \
                    1e2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4
                    """,
                    data),
                Record(21, "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3", "0100"),
            ]),
        Direction(
            "§4 client, early data", "3fbbe6a60deb66c30a32795aba0eff7eaa10105586e7be5c09678d63b6caab62",
            [
                Record(23, "1703030017ab1df420e75c457a7cc5d2844f76d5aee4b4edbf049be0", "414243444546"),
                Record(22, "1703030015aca6fc944841298df99593725f9bf9754429b12f09", "05000000"),
            ]),
        Direction(
            "§4 server, handshake", "fe927ae271312e8bf0275b581c54eef020450dc4ecffaa05a1a35d27518e7803",
            [
                Record(
                    22,
                    """
                    1703030061dc48237b4b879f50d0d4d262ea8b4716eb40ddc1eb957e11126e8a7149c2d012d37a7115957e64ce30 \
                    008b9e0323f2c05a9c1c77b4f37849a695ab255060a33fee770ca95cb8486bfd0843b87024865ca35cc41c4e515c \
                    64dcb1369f98635bc7a5
                    """,
                    """
                    080000280026000a00140012001d00170018001901000101010201030104001c0002400100000000002a00001400 \
                    002048d3e0e1b3d907c6acff145e16090388c77b05c050b634ab1a88bbd0dd1a34b2
                    """)
            ]),
        Direction(
            "§4 client, handshake", "2faac08f851d35fea3604fcb4de82dc62c9b164a70974d0462e27f1ab278700f",
            [
                Record(
                    22,
                    """
                    170303003500f8b467d14cf22a4b3f0b6ae0d8e6cc8d08e0db3515ef5c2bdf1922eafbb70009964716d834fb70c3 \
                    d2a56c5b1f5f6bdba6c333cf
                    """,
                    "140000207230a9c952c25cd6138fc5e6628308c41c5335dd81b9f96bcea50fd32bda416d")
            ]),
        Direction(
            "§4 server, application", "cc21f1bf8feb7dd5fa505bd9c4b468a9984d554a993dc49e6d285598fb672691",
            [
                Record(
                    23,
                    """
                    1703030043275e9f20acff57bc000657d3867df039cccf79047884cf75771746f740b5a83f462a0954c3581393a2 \
                    03a25a7dd14141ef1a37900cdb62ff62dee1ba39ab2590cbf194
                    """,
                    data),
                Record(21, "17030300135b18af444e8e1eec7158fb62d8f2577d37ba5d", "0100"),
            ]),
        Direction(
            "§4 client, application", "2abbf2b8e381d23dbebe1dd2a7d16a8bf484cb4950d23fb7fb7fa8547062d9a1",
            [
                Record(
                    23,
                    """
                    1703030043b1cebce242aa201be9ae5e1cb2a9aa4b33d4e866af1edb068919237741aa031d7a74d491c99b9d4e23 \
                    2b74206bc6fbaa04fe78be44a9b4f54320a17eb76992afac3103
                    """,
                    data),
                Record(21, "17030300130facce3246bdfc6369838d6a82ae6de5d422dc", "0100"),
            ]),
    ]
}
