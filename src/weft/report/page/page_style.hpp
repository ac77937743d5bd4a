// The look of the page: one column, system fonts, two colour schemes.
#pragma once

namespace weft::report {

inline constexpr const char* kPageStyle = R"(
:root { color-scheme: light dark; --text: #1c2128; --soft: #57606a; --line: #d0d7de; --back: #ffffff;
  --plate: #f6f8fa; --good: #116329; --bad: #a40e26; --odd: #7d4e00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9da7b3; --line: #3d444d; --back: #0d1117; --plate: #161b22;
    --good: #56d364; --bad: #ff8f87; --odd: #e3b341; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.5rem 0 0.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0.5rem 0; }
a { color: inherit; }
.soft { color: var(--soft); }
.totals { font-size: 1.15rem; font-weight: 600; }
.description { white-space: pre-line; }
.box { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; }
table { border-collapse: collapse; width: 100%; min-width: 42rem; font-size: 0.92rem; }
table.facts { min-width: 0; }
table.facts td.long { min-width: 0; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem;
  border-bottom: 1px solid var(--line); overflow-wrap: normal; }
td.long { overflow-wrap: anywhere; min-width: 11rem; }
thead th { background: var(--plate); }
tbody tr:last-child > * { border-bottom: 0; }
.verdict { white-space: nowrap; font-weight: 600; }
.met, .loosely { color: var(--good); } .open, .fails { color: var(--bad); }
.explained, .missing { color: var(--odd); }
figure { margin: 1rem 0; }
figcaption { color: var(--soft); font-size: 0.92rem; margin-bottom: 0.3rem; }
.chart { background: #ffffff; color: #000000; padding: 0.4rem; color-scheme: light; display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)); gap: 0.4rem; }
.chart svg { display: block; width: 100%; height: auto; }
.chart.alone svg { max-width: 46rem; }
.chart .key { grid-column: 1 / -1; max-width: 34rem; }
@media (max-width: 44rem) {
  table.claims, .claims tbody, .claims tr, .claims td { display: block; min-width: 0; width: auto; }
  .claims thead { display: none; }
  .claims tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .claims tr:last-child { border-bottom: 0; }
  .claims td { border-bottom: 0; padding: 0.1rem 0.6rem; }
  .claims td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); }
}
)";

}  // namespace weft::report
