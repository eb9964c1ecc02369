/// The registry (https://www.iana.org/assignments/tls-parameters), without Russian suites, drafts and pseudo suites.
extension CipherSuite {
    static let rows = [
        Row(
            "AES_128_CBC_SHA", .cbc(.aes128, mac: .sha1),
            """
            RSA=002F DH_DSS=0030 DH_RSA=0031 DHE_DSS=0032 DHE_RSA=0033 DH_anon=0034 PSK=008C DHE_PSK=0090 \
            RSA_PSK=0094 ECDH_ECDSA=C004 ECDHE_ECDSA=C009 ECDH_RSA=C00E ECDHE_RSA=C013 ECDH_anon=C018 SRP_SHA=C01D \
            SRP_SHA_RSA=C01E SRP_SHA_DSS=C01F ECDHE_PSK=C035
            """),
        Row(
            "AES_256_CBC_SHA", .cbc(.aes256, mac: .sha1),
            """
            RSA=0035 DH_DSS=0036 DH_RSA=0037 DHE_DSS=0038 DHE_RSA=0039 DH_anon=003A PSK=008D DHE_PSK=0091 \
            RSA_PSK=0095 ECDH_ECDSA=C005 ECDHE_ECDSA=C00A ECDH_RSA=C00F ECDHE_RSA=C014 ECDH_anon=C019 SRP_SHA=C020 \
            SRP_SHA_RSA=C021 SRP_SHA_DSS=C022 ECDHE_PSK=C036
            """),
        Row(
            "AES_128_CBC_SHA256", .cbc(.aes128, mac: .sha256),
            """
            RSA=003C DH_DSS=003E DH_RSA=003F DHE_DSS=0040 DHE_RSA=0067 DH_anon=006C PSK=00AE DHE_PSK=00B2 \
            RSA_PSK=00B6 ECDHE_ECDSA=C023 ECDH_ECDSA=C025 ECDHE_RSA=C027 ECDH_RSA=C029 ECDHE_PSK=C037
            """),
        Row(
            "AES_256_CBC_SHA256", .cbc(.aes256, mac: .sha256),
            "RSA=003D DH_DSS=0068 DH_RSA=0069 DHE_DSS=006A DHE_RSA=006B DH_anon=006D"),
        Row(
            "AES_128_GCM_SHA256", .aesGCM(keyLength: 16),
            """
            RSA=009C DHE_RSA=009E DH_RSA=00A0 DHE_DSS=00A2 DH_DSS=00A4 DH_anon=00A6 PSK=00A8 DHE_PSK=00AA \
            RSA_PSK=00AC -=1301 ECDHE_ECDSA=C02B ECDH_ECDSA=C02D ECDHE_RSA=C02F ECDH_RSA=C031 ECCPWD=C0B0 \
            ECDHE_PSK=D001
            """),
        Row(
            "AES_256_GCM_SHA384", .aesGCM(keyLength: 32),
            """
            RSA=009D DHE_RSA=009F DH_RSA=00A1 DHE_DSS=00A3 DH_DSS=00A5 DH_anon=00A7 PSK=00A9 DHE_PSK=00AB \
            RSA_PSK=00AD -=1302 ECDHE_ECDSA=C02C ECDH_ECDSA=C02E ECDHE_RSA=C030 ECDH_RSA=C032 ECCPWD=C0B1 \
            ECDHE_PSK=D002
            """),
        Row(
            "AES_256_CBC_SHA384", .cbc(.aes256, mac: .sha384),
            """
            PSK=00AF DHE_PSK=00B3 RSA_PSK=00B7 ECDHE_ECDSA=C024 ECDH_ECDSA=C026 ECDHE_RSA=C028 ECDH_RSA=C02A \
            ECDHE_PSK=C038
            """),
        Row("AES_128_CCM_SHA256", .aesCCM(keyLength: 16, tagLength: 16), "-=1304 ECCPWD=C0B2 ECDHE_PSK=D005"),
        Row("AES_128_CCM_8_SHA256", .aesCCM(keyLength: 16, tagLength: 8), "-=1305 ECDHE_PSK=D003"),
        Row(
            "AES_128_CCM", .aesCCM(keyLength: 16, tagLength: 16),
            "RSA=C09C DHE_RSA=C09E PSK=C0A4 DHE_PSK=C0A6 ECDHE_ECDSA=C0AC"),
        Row(
            "AES_256_CCM", .aesCCM(keyLength: 32, tagLength: 16),
            "RSA=C09D DHE_RSA=C09F PSK=C0A5 DHE_PSK=C0A7 ECDHE_ECDSA=C0AD"),
        Row(
            "AES_128_CCM_8", .aesCCM(keyLength: 16, tagLength: 8),
            "RSA=C0A0 DHE_RSA=C0A2 PSK=C0A8 PSK_DHE=C0AA ECDHE_ECDSA=C0AE"),
        Row(
            "AES_256_CCM_8", .aesCCM(keyLength: 32, tagLength: 8),
            "RSA=C0A1 DHE_RSA=C0A3 PSK=C0A9 PSK_DHE=C0AB ECDHE_ECDSA=C0AF"),
        Row("AES_256_CCM_SHA384", .aesCCM(keyLength: 32, tagLength: 16), "ECCPWD=C0B3"),
        Row(
            "CHACHA20_POLY1305_SHA256", .chaCha20Poly1305,
            "-=1303 ECDHE_RSA=CCA8 ECDHE_ECDSA=CCA9 DHE_RSA=CCAA PSK=CCAB ECDHE_PSK=CCAC DHE_PSK=CCAD RSA_PSK=CCAE"),
        Row(
            "3DES_EDE_CBC_SHA", .cbc(.tripleDES, mac: .sha1),
            """
            RSA=000A DH_DSS=000D DH_RSA=0010 DHE_DSS=0013 DHE_RSA=0016 DH_anon=001B KRB5=001F PSK=008B DHE_PSK=008F \
            RSA_PSK=0093 ECDH_ECDSA=C003 ECDHE_ECDSA=C008 ECDH_RSA=C00D ECDHE_RSA=C012 ECDH_anon=C017 SRP_SHA=C01A \
            SRP_SHA_RSA=C01B SRP_SHA_DSS=C01C ECDHE_PSK=C034
            """),
        Row("3DES_EDE_CBC_MD5", .cbc(.tripleDES, mac: .md5), "KRB5=0023"),
        Row(
            "CAMELLIA_128_CBC_SHA", .cbc(.camellia128, mac: .sha1),
            "RSA=0041 DH_DSS=0042 DH_RSA=0043 DHE_DSS=0044 DHE_RSA=0045 DH_anon=0046"),
        Row(
            "CAMELLIA_256_CBC_SHA", .cbc(.camellia256, mac: .sha1),
            "RSA=0084 DH_DSS=0085 DH_RSA=0086 DHE_DSS=0087 DHE_RSA=0088 DH_anon=0089"),
        Row(
            "CAMELLIA_128_CBC_SHA256", .cbc(.camellia128, mac: .sha256),
            """
            RSA=00BA DH_DSS=00BB DH_RSA=00BC DHE_DSS=00BD DHE_RSA=00BE DH_anon=00BF ECDHE_ECDSA=C072 ECDH_ECDSA=C074 \
            ECDHE_RSA=C076 ECDH_RSA=C078 PSK=C094 DHE_PSK=C096 RSA_PSK=C098 ECDHE_PSK=C09A
            """),
        Row(
            "CAMELLIA_256_CBC_SHA256", .cbc(.camellia256, mac: .sha256),
            "RSA=00C0 DH_DSS=00C1 DH_RSA=00C2 DHE_DSS=00C3 DHE_RSA=00C4 DH_anon=00C5"),
        Row(
            "CAMELLIA_256_CBC_SHA384", .cbc(.camellia256, mac: .sha384),
            """
            ECDHE_ECDSA=C073 ECDH_ECDSA=C075 ECDHE_RSA=C077 ECDH_RSA=C079 PSK=C095 DHE_PSK=C097 RSA_PSK=C099 \
            ECDHE_PSK=C09B
            """),
        Row(
            "CAMELLIA_128_GCM_SHA256", .camelliaGCM(keyLength: 16),
            """
            RSA=C07A DHE_RSA=C07C DH_RSA=C07E DHE_DSS=C080 DH_DSS=C082 DH_anon=C084 ECDHE_ECDSA=C086 ECDH_ECDSA=C088 \
            ECDHE_RSA=C08A ECDH_RSA=C08C PSK=C08E DHE_PSK=C090 RSA_PSK=C092
            """),
        Row(
            "CAMELLIA_256_GCM_SHA384", .camelliaGCM(keyLength: 32),
            """
            RSA=C07B DHE_RSA=C07D DH_RSA=C07F DHE_DSS=C081 DH_DSS=C083 DH_anon=C085 ECDHE_ECDSA=C087 ECDH_ECDSA=C089 \
            ECDHE_RSA=C08B ECDH_RSA=C08D PSK=C08F DHE_PSK=C091 RSA_PSK=C093
            """),
        Row(
            "ARIA_128_CBC_SHA256", .cbc(.aria128, mac: .sha256),
            """
            RSA=C03C DH_DSS=C03E DH_RSA=C040 DHE_DSS=C042 DHE_RSA=C044 DH_anon=C046 ECDHE_ECDSA=C048 ECDH_ECDSA=C04A \
            ECDHE_RSA=C04C ECDH_RSA=C04E PSK=C064 DHE_PSK=C066 RSA_PSK=C068 ECDHE_PSK=C070
            """),
        Row(
            "ARIA_256_CBC_SHA384", .cbc(.aria256, mac: .sha384),
            """
            RSA=C03D DH_DSS=C03F DH_RSA=C041 DHE_DSS=C043 DHE_RSA=C045 DH_anon=C047 ECDHE_ECDSA=C049 ECDH_ECDSA=C04B \
            ECDHE_RSA=C04D ECDH_RSA=C04F PSK=C065 DHE_PSK=C067 RSA_PSK=C069 ECDHE_PSK=C071
            """),
        Row(
            "ARIA_128_GCM_SHA256", .ariaGCM(keyLength: 16),
            """
            RSA=C050 DHE_RSA=C052 DH_RSA=C054 DHE_DSS=C056 DH_DSS=C058 DH_anon=C05A ECDHE_ECDSA=C05C ECDH_ECDSA=C05E \
            ECDHE_RSA=C060 ECDH_RSA=C062 PSK=C06A DHE_PSK=C06C RSA_PSK=C06E
            """),
        Row(
            "ARIA_256_GCM_SHA384", .ariaGCM(keyLength: 32),
            """
            RSA=C051 DHE_RSA=C053 DH_RSA=C055 DHE_DSS=C057 DH_DSS=C059 DH_anon=C05B ECDHE_ECDSA=C05D ECDH_ECDSA=C05F \
            ECDHE_RSA=C061 ECDH_RSA=C063 PSK=C06B DHE_PSK=C06D RSA_PSK=C06F
            """),
        Row(
            "SEED_CBC_SHA", .cbc(.seed, mac: .sha1),
            "RSA=0096 DH_DSS=0097 DH_RSA=0098 DHE_DSS=0099 DHE_RSA=009A DH_anon=009B"),
        Row("IDEA_CBC_SHA", .cbc(.idea, mac: .sha1), "RSA=0007 KRB5=0021"),
        Row("IDEA_CBC_MD5", .cbc(.idea, mac: .md5), "KRB5=0025"),
        Row("RC4_128_MD5", .rc4(mac: .md5), "RSA=0004 DH_anon=0018 KRB5=0024"),
        Row(
            "RC4_128_SHA", .rc4(mac: .sha1),
            """
            RSA=0005 KRB5=0020 DHE_DSS=0066 PSK=008A DHE_PSK=008E RSA_PSK=0092 ECDH_ECDSA=C002 ECDHE_ECDSA=C007 \
            ECDH_RSA=C00C ECDHE_RSA=C011 ECDH_anon=C016 ECDHE_PSK=C033
            """),
        Row("NULL_MD5", .null(mac: .md5), "RSA=0001"),
        Row(
            "NULL_SHA", .null(mac: .sha1),
            """
            RSA=0002 PSK=002C DHE_PSK=002D RSA_PSK=002E ECDH_ECDSA=C001 ECDHE_ECDSA=C006 ECDH_RSA=C00B \
            ECDHE_RSA=C010 ECDH_anon=C015 ECDHE_PSK=C039
            """),
        Row("NULL_SHA256", .null(mac: .sha256), "RSA=003B PSK=00B0 DHE_PSK=00B4 RSA_PSK=00B8 ECDHE_PSK=C03A"),
        Row("NULL_SHA384", .null(mac: .sha384), "PSK=00B1 DHE_PSK=00B5 RSA_PSK=00B9 ECDHE_PSK=C03B"),
        Row(
            "DES_CBC_SHA", .cbc(.des, mac: .sha1),
            "RSA=0009 DH_DSS=000C DH_RSA=000F DHE_DSS=0012 DHE_RSA=0015 DH_anon=001A KRB5=001E"),
        Row("DES_CBC_MD5", .cbc(.des, mac: .md5), "KRB5=0022"),
        Row("RC4_40_MD5", nil, "RSA_EXPORT=0003 DH_anon_EXPORT=0017 KRB5_EXPORT=002B"),
        Row("RC2_CBC_40_MD5", nil, "RSA_EXPORT=0006 KRB5_EXPORT=002A"),
        Row(
            "DES40_CBC_SHA", nil,
            """
            RSA_EXPORT=0008 DH_DSS_EXPORT=000B DH_RSA_EXPORT=000E DHE_DSS_EXPORT=0011 DHE_RSA_EXPORT=0014 \
            DH_anon_EXPORT=0019
            """),
        Row("DES_CBC_40_SHA", nil, "KRB5_EXPORT=0026"),
        Row("RC2_CBC_40_SHA", nil, "KRB5_EXPORT=0027"),
        Row("RC4_40_SHA", nil, "KRB5_EXPORT=0028"),
        Row("DES_CBC_40_MD5", nil, "KRB5_EXPORT=0029"),
        Row("SM4_GCM_SM3", nil, "-=00C6"),
        Row("SM4_CCM_SM3", nil, "-=00C7"),
        Row("SHA256_SHA256", .null(mac: .sha256), "-=C0B4"),
        Row("SHA384_SHA384", .null(mac: .sha384), "-=C0B5"),
    ]
}
