import WireNative

/// Logs with columns of their owner's.
extension LogFormatReader {
    /// Reads a text: lines of values, or JSON.
    ///
    /// - Parameter reason: why it is none of the known formats, where that was looked for first.
    func readColumns(_ sniffer: LogSniffer, otherwise reason: String? = nil) throws(LogRefusal) -> SDKLog {
        if let reason = sniffer.binaryReason { throw LogRefusal(reason) }
        guard let first = sniffer.start.first else { throw LogRefusal("it is empty") }
        if let table = columns?.table { throw LogRefusal("it is no database, and has no table '\(table)'") }
        let layout = first == 0x7B || first == 0x5B ? sniffer.jsonLayout : nil
        let names = layout.map { sniffer.memberNames($0) } ?? CSVRecords.names(sniffer.header)
        let choice: LogColumns
        do throws(LogColumnsError) {
            let finder = ColumnFinder(names: names)
            choice = try finder.columns(columns, areAll: layout == nil || bytes.isWhole)
        } catch {
            guard let reason else { throw LogRefusal(error.message) }
            throw LogRefusal(names.count < 2 ? reason : "\(reason); \(error.message)")
        }
        let builder = makeBuilder(.columns)
        builder.setColumns(choice)
        let format = ColumnsFormat(choice)
        guard let layout else {
            let lines = LineReader(limit: 1 << 20, pieces: { bytes.next() })
            var records = CSVRecords(lines, separator: CSVRecords.separator(sniffer.header), builder: builder)
            records.read(format)
            return try usable(finish(builder))
        }
        let reader = JSONReader(layout: layout, textLimit: LogBuilder.textLimit, pieces: { bytes.next() })
        if let fault = readRecords(reader, format, builder) {
            if builder.log.rows.isEmpty { throw LogRefusal(fault.message) }
            builder.noteIncomplete(fault.message + "; the rest is not read")
        }
        return try usable(finish(builder))
    }

    /// Reads the only table that has such columns.
    func readColumns(_ database: SQLiteDatabase) throws(LogRefusal) -> SDKLog {
        let wanted = columns?.table?.lowercased()
        let tables = database.tables.filter { wanted == nil || $0.name.lowercased() == wanted }
        var fitting: [(table: SQLiteTable, columns: LogColumns)] = []
        var fault: LogColumnsError?
        for table in tables {
            do throws(LogColumnsError) {
                let finder = ColumnFinder(names: table.columns)
                fitting.append((table, try finder.columns(columns, areAll: true)))
            } catch {
                fault = error
            }
        }
        guard let (table, found) = fitting.first else {
            var reason = description(database, nil)
            if tables.count == 1, let fault {
                reason = (columns == nil ? reason + "; " : "") + "table \(tables[0].name.prefix(100)): " + fault.message
            } else if tables.count > 1 {
                reason += "; name table and columns: --sdk-columns table=NAME,url=COLUMN,up=COLUMN,down=COLUMN"
            }
            throw LogRefusal(reason)
        }
        guard fitting.count == 1 else {
            let names = fitting.prefix(5).map { String($0.table.name.prefix(100)) }
            throw LogRefusal(
                "several of its tables have such columns (\(names.joined(separator: ", "))); write --sdk-columns "
                    + "table=\(names[0])")
        }
        var choice = found
        choice.find(table: table.name)
        let builder = makeBuilder(.columns)
        builder.setColumns(choice)
        SQLiteRecords(database: database, builder: builder).read([table], ColumnsFormat(choice))
        return try usable(finish(builder, database))
    }
}

extension LogSniffer {
    /// Names of a log with columns of its own that are looked at.
    private static let nameLimit = 400

    /// Names of the members of the text's records, in the order in which they are met; that of a member of an inner object has
    /// the names of the objects before it, joined by dots.
    func memberNames(_ layout: JSONReader.Layout) -> [String] {
        var reader = JSONReader(window, layout: layout, textLimit: 256)
        var names: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        // Of each open object or array what stands before the names in it.
        var prefixes: [[UInt8]] = []
        var key: [UInt8] = []
        while names.count < LogSniffer.nameLimit {
            do throws(JSONError) {
                switch try reader.advance() {
                case .end: return names.map(\.display)
                case .key:
                    key = (prefixes.last ?? []) + reader.text
                    continue
                case .beginObject: prefixes.append(key.isEmpty ? [] : key + [0x2E])
                case .beginArray: prefixes.append([])
                case .endObject, .endArray: prefixes.removeLast()
                default: if !key.isEmpty, known.insert(key).inserted { names.append(key) }
                }
                key = []
            } catch {
                guard layout == .lines, error.kind != .endsEarly else { break }
                reader.skipLine()
                (prefixes, key) = ([], [])
            }
        }
        return names.map(\.display)
    }
}
