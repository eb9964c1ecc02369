/// Set-up of the hosts of `sampleTLSAudit` at 60 columns.
let setup60 = """
    SET-UP BY HOST       conn  set-up  per call  saving
    tracker.example.net     4  25,600         —  19,824
    api.example.com         2   9,876       309   4,100
    cdn.example.com         1   5,300         —       0
    192.0.2.7               1     344         —       0

    """

/// Set-up of the hosts of `sampleTLSAudit` at 80 columns.
let setup80 = """
    SET-UP BY HOST       conn  full  resumed  certs  set-up  per call  saving
    tracker.example.net     4     4        0      —  25,600         —  19,824
    api.example.com         2     1        1  4,321   9,876       309   4,100
    cdn.example.com         1     1        0      —   5,300         —       0
    192.0.2.7               1     0        0      —     344         —       0

    """

/// Set-up of the hosts of `sampleTLSAudit` at 120 columns.
let setup120 = """
    SET-UP BY HOST       conn  full  resumed  certs  set-up  per call  closing  saving
    tracker.example.net     4     4        0      —  25,600         —      832  19,824
    api.example.com         2     1        1  4,321   9,876       309      312   4,100
    cdn.example.com         1     1        0      —   5,300         —      208       0
    192.0.2.7               1     0        0      —     344         —        0       0

    """

/// APIs of `sampleTLSAudit` at 100 columns.
let encryptedAPIs100 = """
    APIs BY WIRE BYTES                               calls  message     wire   share  per call  overhead
    POST api.example.com /v1/orders                     10  400,000  441,000  41.2 %    44,100    10.3 %
    GET api.example.com /v1/items/{id}                  20  400,000  440,000  41.1 %    22,000    10.0 %
    GET img.example.com /…/pictures/{id}/large.jpg       2   50,000   59,000   5.5 %    29,500    18.0 %
    https://tracker.example.net (encrypted)              —        —   57,600   5.4 %         —         —
    https://cdn.example.com (encrypted)                  —        —   13,300   1.2 %         —         —

    """

/// `sampleTLSFacts` as an object.
let connectionJSON = """
    "tls":{"version":"TLS 1.3","cipher":"TLS_AES_128_GCM_SHA256","alpn":"h2","offered_alpn":["h2","http/1.1"],\
    "resumed":true,"resumption":"psk","decrypted":true,"blindness":null,"server_name":"api.example.com",\
    "early_data":"accepted","hello_retry":true,"compatibility_ccs":2,"certificate_bytes":2345,"tickets":2,\
    "key_updates":1,"alerts":[{"direction":"up","level":"warning","description":"close_notify"},{"direction":"down",\
    "level":"fatal","description":"internal_error"}],"close_notify":{"up":true,"down":false},\
    "records":{"up":5,"down":9},"messages":{"up":{"client_hello":{"count":2,"bytes":512}},\
    "down":{"server_hello":{"count":1,"bytes":122},"type_99":{"count":1,"bytes":7}}},\
    "up":{"handshake":600,"application_data":900,"alert":24,"change_cipher_spec":6,"other":0},\
    "down":{"handshake":3000,"application_data":40000,"alert":0,"change_cipher_spec":6,"other":11}}
    """

/// Three connections at 80 columns: plain, read, encrypted.
let connectionTable80 = """
      time (UTC)  conn http  TLS calls        up        down close  server
    10:00:00.000     0  1.1    —     1       300         203   fin  api.example.com
    10:00:00.000     1    2  1.3     1       300         203   fin  api.example.com
    10:00:00.000     2    —  1.3     —       300         203   fin  api.example.com
    3 connections; up and down are wire bytes; TLS without http was not decrypted,
    use --keys FILE

    """

/// Three connections at 100 columns: plain, read, encrypted.
let connectionTable100 = """
      time (UTC)  conn http  TLS calls        up        down close  server
    10:00:00.000     0  1.1    —     1       300         203   fin  api.example.com 10.0.0.2:443
    10:00:00.000     1    2  1.3     1       300         203   fin  api.example.com 10.0.0.2:443
    10:00:00.000     2    —  1.3     —       300         203   fin  api.example.com 10.0.0.2:443
    3 connections; up and down are wire bytes; TLS without http was not decrypted, use --keys FILE

    """

/// Two exchanges at 100 columns, one of them HTTP/2 over TLS.
let exchangeTable100 = """
      time (UTC)   conn TLS      up       down      ms code  request
    10:00:00.003      0   —     300        203     2.0  200  GET api.example.com/v1/items/42?src=app
    10:00:00.003   0/15 1.3     300        203     2.0  200  GET api.example.com/v1/items/42?src=app
    2 exchanges; up and down are wire bytes; conn 3/15 is HTTP/2 stream 15 of connection 3

    """
