/// What the audit page adds to the style sheet that all pages share.
let auditStyle: StaticString = #"""
    :root { --g0: #0072b2; --g1: #00856a; --g2: #a97400; --g3: #c8321e; --g4: #8450b5; --g5: #848e97; --wait: #c3cad0; }
    @media (prefers-color-scheme: dark) { :root {
      --g0: #4fa9e0; --g1: #2fb890; --g2: #d9a93a; --g3: #ff7b5c; --g4: #b795ee; --g5: #8f99a3; --wait: #57616b;
    } }
    .g0 { fill: var(--g0); } .g1 { fill: var(--g1); } .g2 { fill: var(--g2); } .g3 { fill: var(--g3); }
    .g4 { fill: var(--g4); } .g5 { fill: var(--g5); } .layer { fill: var(--g5); }
    .key.g0 { background: var(--g0); } .key.g1 { background: var(--g1); } .key.g2 { background: var(--g2); }
    .key.g3 { background: var(--g3); } .key.g4 { background: var(--g4); } .key.g5 { background: var(--g5); }
    .saving { fill: var(--g1); } .guess { fill: var(--g5); }
    .keyed { white-space: nowrap; margin-right: .6rem; }
    .keyed .key { margin-left: 0; }
    .trust { max-width: 52rem; font-size: .95rem; }
    .trust p { margin: 0 0 .3rem; color: var(--text); }
    .trust ul { margin: 0 0 .6rem; padding-left: 1.1rem; color: var(--soft); font-size: .92rem; }
    .verdicts { margin-top: 1.6rem; }
    .verdicts ol, .verdicts ul { margin: 0; padding-left: 1.2rem; }
    .verdicts dd { color: var(--text); max-width: 52rem; }
    .verdicts dt { font-weight: 600; }
    .plain { margin: 0; padding: 0; list-style: none; font-size: .84rem; min-width: 14rem; }
    .parts { margin-top: .4rem; font-size: .84rem; }
    .parts li { margin-top: .2rem; overflow-wrap: anywhere; }
    .to { background: none; border: 0; padding: 0; text-align: left; color: var(--link); text-decoration: underline; }
    .opportunities tbody th { width: 45%; min-width: 16rem; }
    .opportunities .narrow { display: none; }
    .opportunities svg { display: block; margin: .35rem 0 .2rem; }
    .causes .level th, .causes .level td { font-weight: 600; }
    .pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2.4rem; }
    @media (min-width: 66rem) { .pair { grid-template-columns: minmax(0, 8fr) minmax(0, 5fr); } }
    .causes .bar-cell, .layers .bar-cell { min-width: 4rem; }
    .pair th:not(:last-child), .pair td:not(:last-child) { padding-right: .6rem; }
    .causes th, .causes td, .layers th, .layers td, .fields th, .fields td, .stacks th, .stacks td {
      padding-top: .2rem; padding-bottom: .2rem; border: 0; }
    .stacks { margin-bottom: 1.6rem; }
    .stacks .bar-cell { width: 70%; }
    .verdict { min-width: 15rem; }
    #hosttable > tbody > tr > th { min-width: 11rem; }
    .time-cell { width: 55%; min-width: 22rem; padding-right: 0; }
    .time-cell svg { display: block; }
    .time-cell text { font-size: 11px; fill: var(--soft); }
    .topen { fill: var(--g2); } .trequest { fill: var(--g0); } .twait { fill: var(--wait); } .tanswer { fill: var(--g1); }
    .tclosed { fill: var(--g4); } .tidle { fill: var(--g5); } .tresent { fill: var(--g3); } .tick { fill: var(--line); }
    .key.topen { background: var(--g2); } .key.trequest { background: var(--g0); } .key.twait { background: var(--wait); }
    .key.tanswer { background: var(--g1); } .key.tclosed { background: var(--g4); }
    .key.tresent { background: var(--g3); height: .3em; vertical-align: .1em; }
    .key.tidle { background: var(--g5); height: .2em; vertical-align: .2em; }
    #overview svg { display: block; border-bottom: 1px solid var(--line); touch-action: pan-y; }
    #overview .chosen { fill: var(--link); fill-opacity: .18; stroke: var(--link); stroke-width: 1; }
    .timeline tbody td, .timeline tbody th { vertical-align: middle; }
    .timeline > tbody > tr > th { min-width: 12rem; }
    .call-table { font-size: .8rem; margin-bottom: .8rem; }
    .call-table .bar-cell { min-width: 7rem; width: 18%; }
    .call-table thead th { font-size: .76rem; }
    .detail h4 { margin: .8rem 0 .2rem; }
    .cause-table { max-width: 44rem; font-size: .82rem; }
    .cause-table th, .cause-table td { border: 0; padding-top: .12rem; padding-bottom: .12rem; }
    .cause-table .bar-cell { width: 45%; }
    ol { padding-left: 1.3rem; }
    #zoom button { height: 2.2rem; padding: .3rem .6rem; }
    #zoom { flex-wrap: wrap; gap: .4rem; }
    @media (max-width: 44rem) {
      .opportunities, .opportunities tbody, .opportunities tr, .opportunities th, .opportunities td { display: block; }
      .opportunities thead { display: none; }
      .opportunities tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
      .opportunities th, .opportunities td { border: 0; padding: 0; min-width: 0; text-align: left; white-space: normal; }
      .opportunities tbody th { width: auto; }
      .opportunities td.n { display: inline; margin-right: .8rem; font-size: .84rem; color: var(--soft); }
      .opportunities td:nth-child(2)::after { content: " bytes"; }
      .opportunities .narrow { display: inline; }
      .timeline, .timeline tbody, #hosttable, #hosttable tbody { display: block; }
      .timeline thead, #hosttable thead { display: none; }
      .timeline tbody tr:not(.opened), #hosttable tbody tr { display: grid; gap: 0 .8rem; padding: .4rem 0;
        grid-template-columns: repeat(3, minmax(0, 1fr)); border-bottom: 1px solid var(--line); }
      .timeline > tbody > tr:not(.opened) > *, #hosttable > tbody > tr > * { border: 0; padding: 0; min-width: 0;
        text-align: left; }
      .timeline tbody th, .timeline .time-cell, #hosttable th, #hosttable .verdict { grid-column: 1 / -1; width: auto; }
      .timeline > tbody > tr:not(.opened) > td:nth-child(3), #hosttable td:nth-child(n+7):not(.verdict) { display: none; }
      .timeline .n::before, #hosttable .n::before { display: block; font-size: .72rem; color: var(--soft); }
      .timeline .opened { display: block; }
      .timeline .opened > td { display: block; max-width: none; }
      .timeline .opened .n::before { content: none; }
      .timeline td:nth-child(2)::before { content: "start"; }
      .timeline td:nth-child(4)::before { content: "calls"; }
      .timeline td:nth-child(5)::before { content: "wire"; }
      #hosttable td:nth-child(2)::before { content: "wire"; }
      #hosttable td:nth-child(3)::before { content: "up"; }
      #hosttable td:nth-child(4)::before { content: "down"; }
      #hosttable td:nth-child(5)::before { content: "set-up"; }
      #hosttable td:nth-child(6)::before { content: "resent"; }
      .stacks .bar-cell { width: 40%; min-width: 4rem; }
      .stacks th:nth-child(3), .stacks td:nth-child(3), .causes th:nth-child(3), .causes td:nth-child(3) { display: none; }
    }
    @media print {
      .plain, .verdict, .time-cell { min-width: 0; }
      #draghint { display: none; }
      .opportunities tbody th { min-width: 0; }
      rect, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """#

/// SHA-256 of both sheets in Base64.
let auditStyleHash: StaticString = "gvyhFp1t68T0Q2S7WcFoVUmGBEce0zfbfwZ3cqD0M4Q="
