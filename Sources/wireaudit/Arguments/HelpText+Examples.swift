/// Examples of each command, at most 80 columns wide.
extension HelpText {
    static func examples(_ command: Command) -> String {
        switch command {
        case .audit: auditExamples
        case .exchanges: exchangesExamples
        case .connections: connectionsExamples
        case .accuracy: accuracyExamples
        case .live: liveExamples
        case .check: checkExamples
        case .compare: compareExamples
        case .annotate: annotateExamples
        case .merge: mergeExamples
        case .fleet: fleetExamples
        case .doctor: doctorExamples
        case .estimators: estimatorsExamples
        case .interfaces: interfacesExamples
        case .limits: limitsExamples
        case .schema: schemaExamples
        case .completion: completionExamples
        case .manual: manualExamples
        }
    }

    private static let auditExamples = """
          wireaudit shop.pcapng
          wireaudit --keys secrets.log app.pcapng
          wireaudit --format html -o audit.html shop.pcapng
          wireaudit --layer link --top all monday.pcap.gz tuesday.pcap.gz
          tcpdump -i eth0 -U -w - | wireaudit --format json -o audit.json -
        """

    private static let exchangesExamples = """
          wireaudit exchanges shop.pcapng | jq 'select(.status >= 500) | .api'
          wireaudit exchanges --format csv --host api.example.com -o api.csv shop.pcap
          wireaudit exchanges --api 'POST * /v1/orders*' shop.pcapng
        """

    private static let connectionsExamples = """
          wireaudit connections shop.pcapng
          wireaudit connections --format csv -o connections.csv shop.pcapng
          wireaudit connections shop.pcapng | jq 'select(.down.payload_repeated > 0)'
        """

    private static let accuracyExamples = """
          wireaudit accuracy shop.pcapng
          wireaudit accuracy --sdk-log app.sqlite --format html -o app.html shop.pcapng
          wireaudit accuracy --estimators dmurlprotocol:headers=min,har shop.pcapng
          wireaudit accuracy --sdk-log app.sqlite --calibration app.cal.json day1.pcapng
        """

    private static let liveExamples = """
          wireaudit live -i eth0
          wireaudit live -i wlan0 --filter 'tcp port 443' --keys secrets.log
          wireaudit live -i any -w day.pcapng --rotate 100MB,1h,24files
          wireaudit live -i eth0 --duration 10min --format json -o audit.json
        """

    private static let checkExamples = """
          wireaudit check accuracy.policy --sdk-log app.sqlite shop.pcapng
          wireaudit check --max-bias 5% --min-coverage 98% --sdk-log app.har shop.pcap
          wireaudit check accuracy.policy --format junit -o check.xml shop.pcapng
          wireaudit check --max-bias 1% --calibration c.json --sdk-log app.har day2.pcap
        """

    private static let compareExamples = """
          wireaudit compare old.pcapng new.pcapng
          wireaudit compare --max-growth 5% --format md -o c.md old.json new.pcapng
          wireaudit compare --before main/*.pcapng --after branch/*.pcapng
        """

    private static let annotateExamples = """
          wireaudit annotate shop.pcapng -o shop-annotated.pcapng
          wireaudit annotate --keys secrets.log app.pcap -o app-annotated.pcapng
        """

    private static let mergeExamples = """
          wireaudit accuracy --format partial --session run-7 -o 7.part run-7/*.pcapng
          wireaudit merge *.part
          wireaudit merge --format html -o week.html monday.part tuesday.part
          wireaudit merge --format partial -o week.part monday.part tuesday.part
        """

    private static let fleetExamples = """
          wireaudit fleet --jobs 8 --memory 16GiB sessions.csv -o fleet
          wireaudit fleet --estimators dmurlprotocol sessions.csv -o fleet
          wireaudit merge --format html -o v2.html fleet/groups/build=2.0.part
          duckdb -c "SELECT day, count(*) FROM 'fleet/records/*/*/*.ndjson' GROUP BY 1"
        """

    private static let doctorExamples = """
          wireaudit doctor session/
          wireaudit doctor app.pcapng keys.log app.sqlite
        """

    private static let estimatorsExamples = """
          wireaudit estimators
          wireaudit estimators dmurlprotocol
        """

    private static let interfacesExamples = """
          wireaudit interfaces
          wireaudit interfaces --format json | jq -r '.interfaces[].name'
        """

    private static let completionExamples = """
          source <(wireaudit completion bash)
          wireaudit completion zsh > ~/.zfunc/_wireaudit
          wireaudit completion fish > ~/.config/fish/completions/wireaudit.fish
        """

    private static let schemaExamples = """
          wireaudit schema
          wireaudit schema exchange
          wireaudit schema exchange | jq '.properties.up.properties | keys'
        """

    private static let manualExamples = """
          wireaudit manual | man -l -
          wireaudit manual exchanges -o wireaudit-exchanges.1
        """

    private static let limitsExamples = """
          wireaudit limits
          wireaudit --limit apis=100k --limit idle-time=10min shop.pcapng
          wireaudit limits --format json | jq -r '.limits[].name'
        """
}
