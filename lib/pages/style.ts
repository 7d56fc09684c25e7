/**
 * The style sheet of every page: the report, comparisons, certificates. It loads no font, picture or other file.
 * Colours are pairs for light and dark, each with a contrast of at least 4.5 to its background.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #d4d8de; --ink: #1b2129; --quiet: #525c69; --link: #0b57b4;
  --good: #14692f; --good-ground: #e2f4e6; --bad: #a81e1e; --bad-ground: #fdeaea; --doubt: #7c5200; --doubt-ground: #fdf1d4;
  --note: #1f5596; --note-ground: #e6f0fb; --mark: #fff0a8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --raised: #1c222b; --line: #3a434f; --ink: #e6eaf0; --quiet: #a5b0bd; --link: #84b9ff;
    --good: #7fd896; --good-ground: #14331e; --bad: #ff9d96; --bad-ground: #451c1c; --doubt: #f0c05c; --doubt-ground: #3a2c0c;
    --note: #9cc8ff; --note-ground: #172f4b; --mark: #5c4c00;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: .25rem 0 .75rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .9rem; margin: .75rem 0 .25rem; color: var(--quiet); font-weight: 600; }
p, ul, ol, dl { margin: .5rem 0; }
ul, ol { padding-left: 1.4rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
[hidden] { display: none !important; }
.quiet { color: var(--quiet); }
.eyebrow { color: var(--quiet); font-size: .9rem; margin: 0; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { display: inline-block; padding: .25rem 0; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: .2rem 1.25rem; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; }
code, pre, samp { font: .875rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; unicode-bidi: isolate; }
pre {
  margin: .25rem 0; padding: .6rem .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto;
}
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.headline { border: 1px solid; border-left-width: .5rem; border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
.headline h1 { margin-top: 0; }
.headline p:last-child { margin-bottom: 0; }
.good { color: var(--good); } .bad { color: var(--bad); } .doubt { color: var(--doubt); } .note { color: var(--note); }
.headline.good { background: var(--good-ground); } .headline.bad { background: var(--bad-ground); } .headline.doubt { background: var(--doubt-ground); }
.headline p { color: var(--ink); }
.badge {
  display: inline-block; min-width: 3.2rem; padding: 0 .45rem; border-radius: 4px; border: 1px solid; text-align: center;
  font-size: .8rem; font-weight: 650; line-height: 1.4rem; white-space: nowrap;
}
.badge.good { background: var(--good-ground); } .badge.bad { background: var(--bad-ground); }
.badge.doubt { background: var(--doubt-ground); } .badge.note { background: var(--note-ground); } .badge.quiet { background: var(--raised); }
.card { border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem; margin: 1rem 0; }
.card > :first-child { margin-top: 0; }
.card.bad { border-left: .4rem solid var(--bad); color: inherit; }
.finding { font-size: 1.05rem; font-weight: 600; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .25rem 1rem; }
.sides > div { min-width: 0; }
.sides.exchange > div { display: flex; flex-direction: column; }
summary { cursor: pointer; padding: .2rem 0; }
details > :not(summary):last-child { margin-bottom: .75rem; }
.code { position: relative; }
.code button { position: absolute; top: .4rem; right: .4rem; }
.code pre { padding-right: 5rem; }
button, input, select {
  font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--quiet); border-radius: 5px; padding: .3rem .6rem;
}
button { cursor: pointer; }
form.filter { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; padding: .75rem; background: var(--raised); border-radius: 8px; }
form.filter label { display: grid; gap: .15rem; font-size: .9rem; color: var(--quiet); min-width: 8rem; }
form.filter label.words { flex: 1 1 14rem; }
form.filter input, form.filter select { width: 100%; min-height: 2.4rem; }
form.filter p { flex-basis: 100%; margin: 0; }
.requirement { border-bottom: 1px solid var(--line); padding: .15rem 0; }
.requirement > summary { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr); gap: .1rem .6rem; list-style-position: outside; }
.requirement > summary::-webkit-details-marker { display: none; }
.requirement > summary code { color: var(--quiet); }
.requirement > summary .text { grid-column: 2; }
.requirement > .inside { padding: .25rem 0 .5rem 1rem; border-left: 3px solid var(--line); margin: .25rem 0 .5rem .5rem; }
.requirement:target, .card:target { outline: 3px solid var(--link); outline-offset: 3px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; }
caption { text-align: left; color: var(--quiet); padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border: 1px solid var(--line); font-weight: 400; }
thead th { background: var(--raised); font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
table.matrix { overflow-wrap: normal; }
table.words { overflow-wrap: break-word; } table.words time { white-space: nowrap; }
table.matrix td { text-align: center; min-width: 3.6rem; font-weight: 600; }
table.matrix caption { caption-side: bottom; padding: .4rem 0 0; }
td.good { background: var(--good-ground); } td.bad { background: var(--bad-ground); } td.doubt { background: var(--doubt-ground); }
table.compared { width: 100%; }
table.compared th[scope=row] { min-width: 12rem; position: sticky; left: 0; background: var(--ground); }
table.compared td, table.compared thead th { min-width: 9rem; }
table.compared p { margin: .2rem 0 0; font-size: .875rem; }
svg { display: block; max-width: 100%; height: auto; color: var(--quiet); }
svg text { fill: currentColor; font: 11px system-ui, sans-serif; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0; }
.legend svg { display: inline-block; vertical-align: -1px; margin-right: .35rem; }
figure { margin: .75rem 0; overflow-x: auto; }
figure > svg { width: 100%; min-width: 38rem; }
table.figures { overflow-wrap: normal; white-space: nowrap; }
table.figures caption { white-space: normal; }
.c-login { fill: #7a5cc9; } .c-create { fill: #2f8f4e; } .c-rename { fill: #c07800; } .c-list { fill: #2f78c4; } .c-delete { fill: #c2453f; }
.c-wait { fill: var(--doubt); fill-opacity: .35; } .c-axis { stroke: var(--line); }
@media (max-width: 40rem) {
  body { padding: 1rem .8rem 3rem; }
  .requirement > summary { grid-template-columns: minmax(0, 1fr); }
  .requirement > summary .text { grid-column: 1; }
  dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dl.facts dd { margin-bottom: .5rem; }
  h1 { font-size: 1.35rem; }
  th, td { padding: .3rem .35rem; }
  table.compared th[scope=row] { min-width: 8.5rem; }
  form.filter label { flex: 1 1 8rem; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, form.filter, .code button, .skip { display: none; }
  pre { max-height: none; }
  .card, .requirement, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .requirement, .badge, .headline, td { print-color-adjust: exact; }
}
`;
