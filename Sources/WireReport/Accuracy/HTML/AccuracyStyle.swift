/// What the accuracy page adds to the style sheet that all pages share.
let accuracyStyle: StaticString = #"""
    .numbers, .worst-error { font-variant-numeric: tabular-nums lining-nums; }
    .sources tbody th, .coverage tbody th { min-width: 13rem; }
    .line { display: block; }
    .reasons ul { margin: 0; padding: 0; list-style: none; min-width: 14rem; }
    .coverage-bar { display: grid; grid-template-columns: minmax(4rem, 1fr) 5.5rem; gap: .6rem; align-items: center; }
    .coverage-bar svg { margin: 0; }
    .worst details { border-bottom: 1px solid var(--line); }
    .worst summary { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .15rem 1rem; padding: .7rem 0; }
    .worst summary > svg, .why { grid-column: 1 / -1; display: block; }
    .why { font-size: .88rem; color: var(--soft); }
    .worst-error { font-size: .92rem; color: var(--soft); text-align: right; }
    .worst-error b { color: var(--text); font-weight: 600; }
    .worst summary .api::before { content: "▸"; display: inline-block; width: 1.1em; text-indent: 0; color: var(--soft); }
    .worst summary::before { content: none; }
    .worst details[open] > summary .api::before { content: "▾"; }
    .worst summary:hover { text-decoration: none; }
    .worst .api { padding-left: 1.1em; text-indent: -1.1em; }
    .detail .waterfall { max-width: 52rem; }

    .panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: .3rem 1.6rem; }
    .panel { margin: 0; display: grid; grid-row: span 2; grid-template-rows: subgrid; gap: .3rem; }
    figcaption .swatch { flex: none; }
    .scatter { display: block; width: 100%; max-width: 21rem; height: auto; margin-bottom: 1.2rem; }
    .plot { fill: var(--raised); }
    .grid { stroke: var(--line); fill: none; stroke-width: 1; shape-rendering: crispEdges; }
    .zero, .identity { stroke: var(--soft); stroke-width: 1.2; fill: none; }
    .identity { stroke-dasharray: 4 3; }
    .full { fill: currentColor; fill-opacity: .65; }
    .swatch .full { fill-opacity: 1; }
    .hollow { fill: none; stroke: currentColor; stroke-width: 1.1; }
    .s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); } .s3 { color: var(--s3); }
    .s4 { color: var(--s4); } .s5 { color: var(--s5); } .s6 { color: var(--s6); } .s7 { color: var(--s7); }
    .strip-row { display: grid; grid-template-columns: 5.5rem minmax(10rem, 1fr) 36rem; gap: 0 1rem;
      align-items: center; }
    .strip-row > svg { display: block; }
    .strip-row > span:first-child { font-size: .86rem; color: var(--soft); }
    .numbers { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)) 12rem; gap: .6rem;
      white-space: nowrap; font-size: .82rem; text-align: right; }
    .strip-axis .numbers, .strip-axis > span:first-child { font-size: .8rem; color: var(--soft); }
    .strips { margin-top: 1rem; }
    .band-all, .band-99, .band-90, .band-50 { fill: currentColor; }
    .band-all { fill-opacity: .75; } .band-99 { fill-opacity: .25; } .band-90 { fill-opacity: .4; }
    .band-50 { fill-opacity: .75; }
    .interval { stroke: var(--text); stroke-width: 2; }
    .bias { fill: var(--text); stroke: var(--ground); stroke-width: 1.2; }
    .bar-level { fill: var(--level); } .bar-rest { fill: var(--rest); }
    .break { fill: var(--ground); }
    .bar-missing { fill: var(--missing); } .bar-surplus { fill: var(--surplus); }
    .key-level { background: var(--level); } .key-missing { background: var(--missing); }
    .key-surplus { background: var(--surplus); }
    #charts > details, #questions > details, .waterfalls > details { padding: .5rem 0; border-bottom: 1px solid var(--line); }
    #charts summary, #questions summary { padding: .2rem 0; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
      gap: 1rem 3rem; padding: .8rem 0; }
    .waterfall th, .waterfall td { border: 0; padding-top: .18rem; padding-bottom: .18rem; }
    .waterfall .level th, .waterfall .level td { font-weight: 600; }
    .waterfall .bar-cell { width: 45%; }
    .waterfall tbody th { min-width: 11rem; }

    @media (max-width: 62rem) {
      .strip-row { grid-template-columns: 5rem minmax(0, 1fr); }
      .strip-row .numbers { grid-column: 1 / -1; margin-bottom: .5rem; }
    }
    @media (max-width: 44rem) {
      .worst summary { grid-template-columns: 1fr; }
      .worst-error { text-align: left; }
      .numbers { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 .3rem; font-size: .76rem; }
      .numbers > :nth-child(odd) { text-align: left; }
      .fine { display: none; }
      .sources, .sources tbody { display: block; }
      .sources thead, .sources .bar-cell { display: none; }
      .sources tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 .5rem; padding: .35rem 0;
        border-bottom: 1px solid var(--line); }
      .sources tbody th { grid-column: 1 / -1; min-width: 0; }
      .sources th, .sources td { border: 0; padding: 0; }
      .sources td { text-align: left; white-space: normal; }
      .sources td::before { display: block; font-size: .72rem; color: var(--soft); }
      .sources td:nth-child(2)::before { content: "requests"; }
      .sources td:nth-child(4)::before { content: "responses"; }
      .sources td:nth-child(3)::before, .sources td:nth-child(5)::before { content: "on the wire"; }
      .sources td:nth-child(6), .sources td:nth-child(7), .sources .whole { display: none; }
      .sources td:nth-child(8) { grid-column: 1 / -1; font-size: .8rem; color: var(--soft); }
      .sources td:nth-child(8)::before { content: "recorded "; display: inline; font-size: inherit; }
      .advice, .advice tbody, .advice tr, .advice td { display: block; }
      .advice thead { display: none; }
      .advice tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
      .advice td { border: 0; padding: 0; text-align: left; white-space: normal; }
      .advice td + td { font-size: .85rem; color: var(--soft); }
      .waterfall tbody th { min-width: 0; }
      .waterfall .bar-cell { min-width: 5rem; width: 32%; }
      .coverage, .coverage tbody { display: block; }
      .coverage thead { display: none; }
      .coverage tr { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0 .6rem; padding: .4rem 0;
        border-bottom: 1px solid var(--line); }
      .coverage th, .coverage .bar-cell, .coverage .reasons { grid-column: 1 / -1; min-width: 0; }
      .coverage th, .coverage td { border: 0; padding: 0; width: auto; text-align: left; }
      .coverage .n::before { display: block; font-size: .72rem; color: var(--soft); }
      .coverage td:nth-child(3)::before { content: "without a record"; }
      .coverage td:nth-child(4)::before { content: "message bytes"; }
      .line { display: inline; margin-right: .6rem; }
      .coverage-bar { grid-template-columns: minmax(2rem, 1fr) 5.2rem; gap: .4rem; }
    }
    @media print {
      .panel, .strip-row { break-inside: avoid; }
      .sources tbody th, .coverage tbody th { min-width: 0; }
      .strip-row { grid-template-columns: 5rem minmax(8rem, 1fr) 33rem; }
      .strip-row .numbers { grid-column: auto; margin: 0; }
      .panels { grid-template-columns: repeat(4, minmax(0, 1fr)); }
      .bar-missing, .bar-surplus, .bar-level, .bar-rest { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """#

/// SHA-256 of both sheets in Base64.
let accuracyStyleHash: StaticString = "DX6nJjDDnJ37A/fpuEHJ753kgxyzYWx6Qi18eTn4+nk="
