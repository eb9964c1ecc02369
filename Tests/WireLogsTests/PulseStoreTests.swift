import Testing

@testable import WireLogs

/// Stores as Core Data lays them out for Pulse's published model; no Mac made them.
@Suite("Stores of Pulse")
struct PulseStoreTests {
    private static let schema = """
        CREATE TABLE ZNETWORKREQUESTENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZURL VARCHAR, ZHTTPMETHOD VARCHAR);
        CREATE TABLE ZNETWORKRESPONSEENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZSTATUSCODE INTEGER, ZURL VARCHAR);
        CREATE TABLE ZNETWORKTRANSACTIONMETRICSENTITY (
          Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZINDEX INTEGER, ZRAWFETCHTYPE INTEGER, ZLOCALPORT INTEGER,
          ZREMOTEPORT INTEGER, ZREQUESTHEADERBYTESSENT INTEGER, ZREQUESTBODYBYTESBEFOREENCODING INTEGER,
          ZREQUESTBODYBYTESSENT INTEGER, ZRESPONSEHEADERBYTESRECEIVED INTEGER, ZRESPONSEBODYBYTESRECEIVED INTEGER,
          ZRESPONSEBODYBYTESAFTERDECODING INTEGER, ZREQUEST INTEGER, ZRESPONSE INTEGER, ZFETCHSTARTDATE TIMESTAMP,
          ZREQUESTSTARTDATE TIMESTAMP, ZRESPONSEENDDATE TIMESTAMP);
        CREATE TABLE ZNETWORKTASKENTITY (
          Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZURL VARCHAR, ZHTTPMETHOD VARCHAR, ZSTATUSCODE INTEGER,
          ZCREATEDAT TIMESTAMP, ZDURATION FLOAT, ZREQUESTBODYSIZE INTEGER, ZRESPONSEBODYSIZE INTEGER,
          ZISFROMCACHE INTEGER);
        INSERT INTO ZNETWORKREQUESTENTITY VALUES (1, 1, 'https://api.test/a?b=c', 'POST'), (2, 1, 'https://api.test/d', 'GET');
        INSERT INTO ZNETWORKRESPONSEENTITY VALUES (1, 2, 200, ''), (5, 2, 302, '');
        INSERT INTO ZNETWORKTASKENTITY VALUES
          (1, 3, 'https://api.test/a?b=c', 'POST', 200, 816962618.671, 0.0125, 28, 2000, 0),
          (2, 3, 'https://api.test/cached', 'GET', 200, 816962619.0, 0.01, 0, 9, 1);
        """

    private static let transactions = """
        INSERT INTO ZNETWORKTRANSACTIONMETRICSENTITY VALUES
          (1, 4, 0, 1, 50123, 443, 291, 28, 28, 202, 77, 2000, 1, 1, 816962618.5, 816962618.671, 816962618.6835),
          (2, 4, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 816962618.5, NULL, NULL),
          (3, 4, 0, 1, 50124, 443, 55, 0, 0, 64, -1, 5, 2, 5, 816962620.5, NULL, NULL),
          (4, 4, 0, 1, 50124, 443, 55, 0, 0, 64, 5, 5, 99, 5, 816962620.5, NULL, NULL);
        """

    @Test("each transaction on the network is a row; its names come from the request and the response")
    func transactionRows() throws {
        let log = try LogSamples.readDatabase(Self.schema + Self.transactions)
        #expect(log.format == .pulse)
        #expect(log.rows.map(\.number) == [1, 3])
        #expect(log.line(0).hasPrefix("exchange POST api.test /a?b=c 200 1795269818671000000 1795269818683500000"))
        #expect([log.rows[0].clientPort, log.rows[0].serverPort] == [50123, 443])
        #expect([log.rows[0].up.headers, log.rows[0].up.body, log.rows[0].up.total] == [291, 28, 319])
        #expect([log.rows[0].down.headers, log.rows[0].down.body, log.rows[0].down.decodedBody] == [202, 77, 2000])
        // A size of -1 is unknown, and then so is the sum.
        #expect(log.line(1).hasPrefix("exchange GET api.test /d 302 1795269820500000000"))
        #expect(log.rows[1].down.total == nil && log.rows[1].up.total == 55)
        #expect(log.rejections.map(\.row) == [4])
        #expect(log.problems.map(\.what).contains("transactions answered from the cache are not on the wire"))
    }

    @Test("without transactions each task is a row with the sizes of its bodies")
    func taskRows() throws {
        let log = try LogSamples.readDatabase(Self.schema)
        #expect(log.rows.count == 1)
        #expect(log.line(0).hasPrefix("exchange POST api.test /a?b=c 200 1795269818671000000 1795269818683500000"))
        #expect([log.rows[0].up.total, log.rows[0].down.total] == [28, 2000])
    }

    @Test("beside transactions a task without metrics is a row whose sizes are not known")
    func tasksWithoutMetrics() throws {
        let metrics = """
            ALTER TABLE ZNETWORKTASKENTITY ADD COLUMN ZMETRICS INTEGER;
            UPDATE ZNETWORKTASKENTITY SET ZMETRICS = 1;
            INSERT INTO ZNETWORKTASKENTITY VALUES
              (7, 3, 'https://api.test/lost', 'GET', 0, 816962618.671, 0.0125, 28, 2000, 0, NULL);
            """
        let log = try LogSamples.readDatabase(Self.schema + Self.transactions + metrics)
        #expect(log.rows.map(\.number) == [1, 3, 7])
        #expect(log.line(2).hasPrefix("exchange GET api.test /lost"))
        #expect(log.rows[2].up.total == nil && log.rows[2].down.total == nil && log.rows[2].down.body == nil)
        #expect(log.problems.map(\.what).contains("tasks without metrics have no sizes"))
    }

    @Test("the archive is named, and what to do instead")
    func archive() throws {
        let error = #expect(throws: SDKLogError.self) {
            try LogSamples.readDatabase(
                "CREATE TABLE ZPULSEBLOBENTITY (Z_PK INTEGER PRIMARY KEY, ZKEY VARCHAR, ZDATA BLOB);")
        }
        #expect(error?.message.contains("LZFSE") == true)
    }
}
