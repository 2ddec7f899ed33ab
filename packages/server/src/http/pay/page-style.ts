/** The style of the buyer's page, sent inside it, so that the page needs no second request. System fonts only. */
export const style = `
:root{--paper:#fbfaf7;--card:#fff;--ink:#17202e;--quiet:#5c6675;--line:#e6e2d8;--accent:#0f5c63;--on:#fff;--good:#1b7f4b;--bad:#b3261e;--warn:#7a5d0c;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#12151a;--card:#1a1e25;--ink:#e8eaed;--quiet:#9aa4b2;--line:#2a303a;--accent:#5cc2c7;--on:#10151a;--good:#5fcf95;--bad:#ff8a80;--warn:#e3bf5a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans Arabic",Tahoma,sans-serif}
main,header,footer{max-width:30rem;margin:0 auto;padding:0 1rem}
header{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding-top:1rem;padding-bottom:.5rem}
header b{font-size:1.1rem;overflow-wrap:anywhere;display:flex;align-items:center;gap:.5rem}
header img{width:auto;height:auto;max-width:6rem;max-height:2.5rem;border-radius:6px;background:#fff}
footer{color:var(--quiet);font-size:.875rem;padding-top:1rem;padding-bottom:2rem}
a{color:var(--accent)}
.seen{position:absolute;opacity:0}
.band{display:block;width:100%;height:6px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem;margin:0 0 1rem;overflow-wrap:anywhere}
.sum{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.25rem 1rem}
.sum+*{margin-top:.5rem}
.amount{font-size:1.75rem;font-weight:650;font-variant-numeric:tabular-nums;line-height:1.2}
.amount small{font-size:1rem;font-weight:400;color:var(--quiet)}
h1{font-size:1.25rem;margin:0 0 .5rem}
h2{font-size:1rem;margin:0 0 .5rem}
p{margin:0 0 .75rem}p:last-child,ul:last-child,ol:last-child{margin-bottom:0}
ul,ol{padding-inline-start:1.25rem;margin:0 0 .75rem}
.quiet{color:var(--quiet)}
.note{border-inline-start:4px solid var(--warn);padding-inline-start:.75rem;margin-bottom:1rem}
.error{border-inline-start:4px solid var(--bad);padding-inline-start:.75rem;margin-bottom:1rem;color:var(--bad);font-weight:600}
button,.button{font:inherit;font-weight:600;display:block;width:100%;min-height:48px;padding:.625rem 1rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on);text-align:center;text-decoration:none;cursor:pointer}
.plain{background:none;color:var(--accent)}
.wallet{display:flex;justify-content:space-between;align-items:center;gap:.5rem;text-align:start;background:var(--card);color:var(--ink);border-color:var(--line);margin-bottom:.5rem;position:relative;padding-inline-start:1.25rem;overflow:hidden}
.wallet svg{position:absolute;inset-block:0;inset-inline-start:0;width:6px;height:100%}
.wallet small{font-weight:400;color:var(--quiet)}
dl{margin:0 0 .75rem}dt{color:var(--quiet);font-size:.875rem}dd{margin:0 0 .75rem;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.75rem;font-size:1.125rem;font-weight:600}
.copy{display:none}.pair{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:center}.js .copy{display:block;width:auto;min-height:40px;padding:.25rem .75rem;font-size:.875rem;flex:none}
bdi,.num{font-variant-numeric:tabular-nums;unicode-bidi:isolate}
textarea,input:not([type=hidden]){font:inherit;width:100%;padding:.625rem;border:1px solid var(--quiet);border-radius:8px;background:var(--paper);color:var(--ink);margin-bottom:.75rem}
textarea{min-height:4.5rem}
label{display:block;font-weight:600;margin-bottom:.375rem}
summary{cursor:pointer;color:var(--accent);padding:.5rem 0}
details{margin-bottom:.5rem}
.sample{background:var(--paper);border:1px solid var(--line);border-radius:12px;border-start-start-radius:4px;padding:.625rem;max-width:22rem}
.sample b{display:block;font-size:.8125rem;color:var(--quiet)}
.qr{display:block;width:11rem;max-width:100%;aspect-ratio:1;background:#fff;fill:#000;border-radius:8px;margin-bottom:.5rem}
mark{background:none;color:inherit;border:2px solid var(--accent);border-radius:6px;padding:0 .25rem;font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.wait{height:4px;border-radius:2px;background:var(--line);overflow:hidden;margin-bottom:1rem}
.wait i{display:block;height:100%;width:40%;background:var(--accent);border-radius:2px}
.paid{text-align:center;border-top:4px solid var(--good)}
.stamp{display:inline-block;border:3px solid var(--good);color:var(--good);border-radius:8px;padding:.25rem 1rem;margin:.75rem 0 1rem;font-size:1.5rem;font-weight:700;transform:rotate(-6deg)}
.paid dl{text-align:start}
@media(prefers-reduced-motion:no-preference){.wait i{animation:w 1.6s ease-in-out infinite alternate}@keyframes w{to{margin-inline-start:60%}}}
@media print{header a,form,.button,.pair,details,footer,.keep{display:none}.card{border:0}}
`
  .trim()
  .replaceAll('\n', '')
