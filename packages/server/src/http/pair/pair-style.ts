/** The style of the set-up page: one small sheet inside the page, system fonts, light and dark. Pure. */
export const pairStyle = `
:root{--paper:#fbfaf7;--card:#fff;--ink:#17202e;--quiet:#5c6675;--line:#e6e2d8;--accent:#0f5c63;--on:#fff;--good:#1b7f4b;--bad:#b3261e;--warn:#7a5c0c}
@media (prefers-color-scheme:dark){:root{--paper:#12151a;--card:#1a1e25;--ink:#e8eaed;--quiet:#9aa4b2;--line:#2a303a;--accent:#5cc2c7;--on:#0c1216;--good:#5fce93;--bad:#ff8a80;--warn:#e0bd5a}}
*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans Arabic",sans-serif}
header,main{max-width:560px;margin:0 auto;padding:12px 16px}
header{display:flex;justify-content:space-between;align-items:center;border-bottom:1px solid var(--line)}
header b{font-size:20px}
a{color:var(--accent);overflow-wrap:anywhere}
header a{min-height:44px;padding:8px;display:flex;align-items:center}
h1{font-size:24px;line-height:1.3;margin:16px 0 4px}
h2{font-size:20px;line-height:1.3;margin:4px 0 8px}
h2:focus{outline:none}
p{margin:0 0 12px}
.quiet{color:var(--quiet);font-size:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;margin:12px 0}
.warn{border-inline-start:4px solid var(--warn)}
.problem{border-inline-start:4px solid var(--bad)}
.good{border-inline-start:4px solid var(--good)}
button,.button{font:inherit;font-weight:600;min-height:48px;width:100%;padding:10px 16px;border-radius:8px;border:1px solid var(--accent);background:var(--accent);color:var(--on);cursor:pointer}
button.plain{background:none;color:var(--accent)}
button.small{width:auto;min-height:44px;min-width:88px;padding:6px 12px;flex:none}
button:disabled{opacity:.6;cursor:default}
button:focus-visible,a:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.choice{display:block;text-align:start;background:var(--card);color:var(--ink);border-color:var(--line);margin:8px 0;font-weight:400}
.choice b{display:block;font-size:17px}
.choice .tag{display:inline-block;font-size:13px;color:var(--good);border:1px solid currentColor;border-radius:99px;padding:0 8px;margin-inline-start:8px;font-weight:600}
.choice .caution{display:block;color:var(--warn);font-size:14px}
.choice .go{display:block;margin-top:8px;padding:8px;border-radius:8px;border:1px solid var(--accent);color:var(--accent);text-align:center;font-weight:600}
details .choice{margin-top:8px}
section>.choice .go{background:var(--accent);color:var(--on)}
.choice .takes{display:block;font-size:14px}
.choice small{display:block;color:var(--quiet);font-size:14px}
ul{padding-inline-start:20px}
ul a{display:block;font-size:13px;word-break:break-all}
ol.do ul{padding:0;list-style:none}
ol.do{padding-inline-start:24px;margin:12px 0}
ol.do>li{margin-bottom:16px;padding-inline-start:4px}
.copy{display:flex;gap:8px;align-items:center;border:1px solid var(--line);border-radius:8px;padding:4px 8px;margin-top:8px;background:var(--paper)}
.copy code{flex:1;min-width:0;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;direction:ltr;text-align:left;overflow-wrap:anywhere;max-height:6em;overflow:auto;white-space:pre-wrap}
.live{display:block;margin-top:8px;font-size:14px;color:var(--quiet)}
.live::before,.facts dt::before{content:"○ "}
.live.is,.facts div.is dt{color:var(--good);font-weight:600}
.live.is::before,.facts div.is dt::before{content:"✓ "}
.bar{display:flex;gap:4px;margin:8px 0}
.bar i{flex:1;height:4px;border-radius:2px;background:var(--line)}
.bar i.on{background:var(--accent)}
.facts{margin:0}
.facts div{display:flex;justify-content:space-between;gap:12px;padding:6px 0;border-bottom:1px solid var(--line)}
.facts div:last-child{border:0}
.facts dd{margin:0;color:var(--quiet);white-space:nowrap}
label{display:block;font-weight:600;margin-bottom:4px}
input,select{font:inherit;width:100%;min-height:48px;padding:8px 12px;border-radius:8px;border:1px solid var(--quiet);background:var(--card);color:var(--ink);margin-bottom:12px}
input{direction:ltr;text-align:center;letter-spacing:.1em}
summary{cursor:pointer;min-height:44px;padding:10px 0;color:var(--accent)}
nav{display:grid;gap:8px;margin-top:16px}
.stamp{display:inline-block;border:3px solid var(--good);color:var(--good);border-radius:8px;padding:4px 16px;font-size:22px;font-weight:700;transform:rotate(-4deg);margin:8px 0 16px}
[hidden]{display:none!important}
@media (prefers-reduced-motion:no-preference){.stamp{animation:in .15s ease-out}@keyframes in{from{opacity:0}}}
`
