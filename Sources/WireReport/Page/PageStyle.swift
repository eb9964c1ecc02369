/// The style sheet that all pages share. A page's own sheet follows it; the policy in the page's head allows both together
/// by their hash, which a test computes anew.
///
/// Text has a contrast of at least 4.5 : 1 and drawings of 3 : 1 on their ground, in both colour schemes.
let pageStyle: StaticString = #"""
    :root {
      color-scheme: light dark; --edge: clamp(1rem, 4vw, 3rem);
      --ground: #fdfdfc; --raised: #f5f5f2; --line: #deded8; --text: #1d2125; --soft: #575d64; --link: #0b5cad;
      --low: #a84300; --high: #6a3fb5; --missing: #d9731f; --surplus: #8a64cf; --level: #7b858f; --rest: #dfe1e0;
      --s0: #0072b2; --s1: #d55e00; --s2: #00855f; --s3: #b0508a; --s4: #8a6d00; --s5: #4a5560; --s6: #2b8fc4;
        --s7: #a23b3b;
    }
    @media (prefers-color-scheme: dark) { :root {
      --ground: #16191c; --raised: #1e2226; --line: #353b41; --text: #e7e8e6; --soft: #a4abb2; --link: #7db9f2;
      --low: #ff9d5c; --high: #bfa3f5; --missing: #e8862f; --surplus: #a384e6; --level: #7f8a95; --rest: #343a40;
      --s0: #4fa9e0; --s1: #ff8a3d; --s2: #2fc795; --s3: #e08fc0; --s4: #e0b93a; --s5: #b4bec8; --s6: #8fd0f5;
        --s7: #f08585;
    } }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0 auto; padding: 0 var(--edge) 3rem; max-width: 78rem; background: var(--ground);
      color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      overflow-wrap: anywhere;
    }
    h1, h2, h3, h4 { line-height: 1.2; margin: 0; font-weight: 650; text-wrap: balance; overflow-wrap: anywhere; }
    h1 { font-size: clamp(1.6rem, 4.5vw, 2.4rem); letter-spacing: -.02em; }
    h2 { font-size: 1.45rem; letter-spacing: -.01em; margin-bottom: .6rem; }
    h3 { font-size: 1.08rem; margin: 2.2rem 0 .5rem; }
    h4 { font-size: .92rem; margin: 1rem 0 .1rem; }
    p, ul, dl { margin: 0 0 .9rem; }
    section > p, section li, dd { max-width: 46rem; }
    section { margin-top: 3.2rem; padding-top: 1.6rem; border-top: 1px solid var(--line); }
    section.answer { margin-top: 1.4rem; padding-top: 0; border: 0; }
    section > p, dd { color: var(--soft); }
    section.answer > p { color: var(--text); }
    a { color: var(--link); }
    code { font: .86em ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--soft);
      overflow-wrap: anywhere; }
    small { display: block; font-size: .8rem; font-weight: 400; color: var(--soft); }
    .hidden, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); }
    .skip { position: absolute; left: 1rem; top: .5rem; padding: .4rem .8rem; background: var(--raised); }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }

    header { padding-top: 2.6rem; }
    .kicker { margin: 0 0 .4rem; font-size: .85rem; color: var(--soft); letter-spacing: .02em; }
    .facts { margin: .6rem 0 .8rem; color: var(--soft); }
    nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .92rem; }
    nav a { text-decoration: none; padding: .2rem 0; }
    nav a:hover { text-decoration: underline; }
    .lead { font-size: clamp(1.15rem, 2.6vw, 1.4rem); line-height: 1.4; max-width: 52rem; text-wrap: pretty; }
    .warning { border-left: 3px solid var(--missing); padding-left: .8rem; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem;
      margin: 1.6rem 0 0; }
    .tiles div { background: var(--raised); border-radius: 8px; padding: .8rem 1rem; }
    .tiles dt { font-size: .85rem; color: var(--soft); }
    .tiles dd { margin: 0; font-size: 1.55rem; font-weight: 600; line-height: 1.25; color: var(--text); }
    .tiles small { line-height: 1.35; margin-top: .15rem; }
    table, .tiles dd { font-variant-numeric: tabular-nums lining-nums; }

    .scroll { position: relative; overflow-x: auto; margin: 0 0 1rem; background:
      linear-gradient(to left, var(--ground) 1rem, transparent 3rem) right / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--line), transparent) right / .7rem 100% no-repeat scroll; }
    table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; font-size: .88rem; line-height: 1.4; }
    caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
    th, td { padding: .42rem .9rem .42rem 0; text-align: left; vertical-align: top;
      border-bottom: 1px solid var(--line); }
    th:last-child, td:last-child { padding-right: 0; }
    th { font-weight: 400; }
    thead th { color: var(--soft); font-size: .82rem; vertical-align: bottom; white-space: nowrap; }
    .n { text-align: right; white-space: nowrap; }
    .low { color: var(--low); }
    .high { color: var(--high); }
    .none { color: var(--soft); }
    .bar-cell { min-width: 9rem; width: 24%; }
    .bar-cell svg { display: block; margin-top: .25rem; }
    .badge { font-size: .74rem; color: var(--soft); border: 1px solid var(--line); border-radius: 9px;
      padding: 0 .45rem;
      white-space: nowrap; }
    .measured { color: var(--ground); background: var(--text); border-color: var(--text); }
    .swatch { vertical-align: -.12em; }
    .verdicts, .notes { display: grid; grid-template-columns: minmax(12rem, 19rem) 1fr; gap: 0 1.6rem;
      font-size: .94rem; }
    .verdicts dt, .notes dt, .verdicts dd, .notes dd { padding-top: .5rem; }
    .verdicts dd, .notes dd { margin: 0; }
    .verdicts p { margin: 0 0 .2rem; }

    .api { overflow-wrap: anywhere; }
    .api .method { font-size: .8em; font-weight: 600; letter-spacing: .02em; }
    .api .host { color: var(--soft); }
    summary { cursor: pointer; list-style: none; }
    summary::-webkit-details-marker { display: none; }
    summary::before, .open::before { content: "▸"; display: inline-block; width: 1.1em; text-indent: 0;
      color: var(--soft); }
    details[open] > summary::before, .open[aria-expanded=true]::before { content: "▾"; }
    summary:hover, summary:hover .path { text-decoration: underline; text-decoration-color: var(--soft); }
    .detail { padding: .4rem 0 1.2rem 1.1em; }
    .detail-table { font-size: .78rem; }
    .detail-table thead th { font-size: .74rem; }
    .detail-table th, .detail-table td { padding-right: .5rem; }
    .open { padding-left: 1.1em; text-indent: -1.1em; }
    figcaption { font-size: .88rem; line-height: 1.3; font-weight: 600; display: flex; gap: .4rem;
      align-items: baseline; }
    svg { overflow: visible; }
    svg text { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
    .key { display: inline-block; width: .9em; height: .9em; border-radius: 2px; vertical-align: -.08em;
      margin: 0 .2rem 0 .8rem; }
    .key:first-child { margin-left: 0; }
    .legend { font-size: .88rem; }

    .tools { display: flex; flex-wrap: wrap; gap: .8rem 1.2rem; align-items: end; margin-bottom: .8rem;
      font-size: .86rem; }
    .tools[hidden] { display: none; }
    .tools label { display: grid; gap: .2rem; color: var(--soft); min-width: 0; max-width: min(100%, 21rem);
      align-content: end; grid-template-columns: minmax(0, 1fr); }
    .tools .check { display: flex; align-items: center; gap: .4rem; padding-bottom: .45rem; }
    .tools input[type=search], .tools select, .more button { font: inherit; font-size: .95rem;
      padding: .42rem .6rem; max-width: 100%; height: 2.4rem;
      color: var(--text); background: var(--raised); border: 1px solid var(--level); border-radius: 6px; }
    .tools input[type=search] { width: 17rem; }
    .status { font-size: .88rem; }
    .listing > tbody > tr > th { min-width: 15rem; }
    .listing > tbody > tr:hover > * { background: var(--raised); }
    .listing > tbody > .opened:hover > * { background: none; }
    .opened > td { max-width: 0; }
    .opened .detail { position: sticky; left: 0; width: min(100%, 100vw - 2 * var(--edge)); padding-right: 1px; }
    button { font: inherit; color: inherit; cursor: pointer; }
    .sort, .open { background: none; border: 0; padding-block: 0; padding-right: 0; text-align: inherit; }
    .sort { padding-left: 0; }
    .sort:hover, .open:hover .path { text-decoration: underline; }
    th[aria-sort] .sort { color: var(--text); font-weight: 600; }
    th[aria-sort=descending] .sort::after { content: " ↓"; }
    th[aria-sort=ascending] .sort::after { content: " ↑"; }
    .more { display: flex; gap: .8rem; }
    .more[hidden] { display: none; }
    footer { margin-top: 3rem; font-size: .85rem; color: var(--soft); }

    @media (max-width: 44rem) {
      .verdicts, .notes { grid-template-columns: 1fr; }
      .verdicts dd, .notes dd { padding-top: 0; }
      section { margin-top: 2rem; padding-top: 1rem; }
      h3 { margin-top: 1.4rem; }
      header { padding-top: 1.2rem; }
      .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; margin-top: 1rem; }
      .tiles div { padding: .5rem .7rem; }
      .tiles dd { font-size: 1.2rem; }
      .tools label, .tools input[type=search], .tools select { width: 100%; max-width: none; }
    }
    @media print {
      :root { --ground: #fff; --raised: #f5f5f2; --line: #ccc; --text: #000; --soft: #444; }
      html { font-size: 10.5px; }
      body { max-width: none; padding: 0; }
      nav, .skip, .tools, .more, .status { display: none !important; }
      section { margin-top: 1.6rem; padding-top: 1rem; }
      h2, h3, h4, caption, summary { break-after: avoid; }
      tr, .tiles div { break-inside: avoid; }
      .scroll { overflow: visible; background: none; }
      th, td { padding: .3rem .6rem .3rem 0; }
      thead th { white-space: normal; }
      .detail-table { font-size: .62rem; }
      .listing > tbody > tr > th { min-width: 0; }
      .key, .measured, .tiles div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """#
