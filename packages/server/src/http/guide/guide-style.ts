/** The style of the guide in the colours of the dashboard: light or dark as the browser prefers, for both directions. */
export const guideStyle = `
:root{--paper:#fbfaf7;--card:#fff;--shade:#f1eee6;--ink:#17202e;--quiet:#5c6675;--line:#e6e2d8;--accent:#0f5c63;--warn:#8a6a12;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#12151a;--card:#1a1e25;--shade:#232833;--ink:#e8eaed;--quiet:#9aa4b2;--line:#2a303a;--accent:#5cc2c7;--warn:#e3bf5a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:16px}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.65 "IBM Plex Sans","IBM Plex Sans Arabic",system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans Arabic",Tahoma,sans-serif;overflow-wrap:break-word}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;inset-inline-start:-9999px}.skip:focus{inset-inline-start:16px;inset-block-start:8px;background:var(--card);padding:8px 16px;z-index:3}
header{border-bottom:1px solid var(--line);background:var(--card)}
.bar{max-width:1120px;margin:0 auto;padding:12px 24px;display:flex;flex-wrap:wrap;align-items:center;gap:8px 24px}
.brand{font-weight:650;font-size:18px;color:var(--ink);text-decoration:none;display:inline-flex;align-items:center;gap:8px;min-height:40px}
.brand svg{width:24px;height:24px;flex:none}
.links{display:flex;flex-wrap:wrap;gap:4px 20px;margin-inline-start:auto}
.links a{min-height:40px;display:inline-flex;align-items:center}
.search{position:relative;flex:1 1 240px;max-width:420px}
.search input{font:inherit;width:100%;min-height:40px;padding:4px 12px;border:1px solid var(--quiet);border-radius:8px;background:var(--paper);color:var(--ink)}
.results{position:absolute;inset-inline:0;inset-block-start:calc(100% + 4px);z-index:2;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px rgb(0 0 0/.18);max-height:70vh;overflow:auto;margin:0;padding:4px;list-style:none}
.results a{display:block;padding:8px 12px;border-radius:6px;text-decoration:none;color:var(--ink)}
.results a:hover,.results a:focus-visible{background:var(--shade)}
.results small{display:block;color:var(--quiet);font-size:13px}
.results p{margin:0;padding:8px 12px;color:var(--quiet)}
.frame{max-width:1120px;margin:0 auto;padding:0 24px;display:grid;grid-template-columns:minmax(0,1fr);gap:0 48px}
main{min-width:0;max-width:760px;padding:24px 0 32px}
.pages{padding:16px 0 48px;border-top:1px solid var(--line)}
.pages h2{font-size:14px;color:var(--quiet);margin:0 0 8px;font-weight:600}
.pages ol{list-style:none;margin:0;padding:0}
.pages a{display:block;padding:8px 12px;border-radius:8px;text-decoration:none;color:var(--ink)}
.pages a:hover{background:var(--shade)}
.pages a[aria-current]{background:var(--shade);font-weight:600;box-shadow:inset 3px 0 0 var(--accent)}
[dir=rtl] .pages a[aria-current]{box-shadow:inset -3px 0 0 var(--accent)}
h1{font-size:28px;line-height:1.3;margin:0 0 16px}
h2{font-size:20px;line-height:1.4;margin:40px 0 8px}
h3{font-size:16px;margin:28px 0 4px}
h2 .anchor,h3 .anchor{color:inherit;text-decoration:none}h2 .anchor:hover,h3 .anchor:hover{text-decoration:underline}
p,ul,ol{margin:0 0 12px}ul,ol{padding-inline-start:24px}li{margin-bottom:4px}
em{font-style:normal;font-weight:600}
code{font:13px/1.5 "IBM Plex Mono",ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;background:var(--shade);border-radius:4px;padding:1px 5px;unicode-bidi:isolate;direction:ltr;overflow-wrap:anywhere}
.code{margin:0 0 16px;border:1px solid var(--line);border-radius:8px;background:var(--card);position:relative;direction:ltr}
.code figcaption{padding:6px 16px;border-bottom:1px solid var(--line);font-size:13px;text-align:left}
.code pre{margin:0;padding:12px 16px;overflow-x:auto;text-align:left}
.code pre code{background:none;padding:0;overflow-wrap:normal;white-space:pre}
.copy{position:absolute;top:4px;right:4px;font:13px/1 inherit;font-family:inherit;min-height:32px;padding:4px 10px;border:1px solid var(--line);border-radius:6px;background:var(--card);color:var(--accent);cursor:pointer}
.scroll{overflow-x:auto;margin:0 0 16px}
.tabs{display:flex;flex-wrap:wrap;margin:0 0 16px;border:1px solid var(--line);border-radius:8px;background:var(--card);position:relative}
.tabs>input{position:absolute;opacity:0;width:1px;height:1px;margin:0}
.tabs>label{order:1;min-height:44px;padding:8px 20px;display:inline-flex;align-items:center;cursor:pointer;color:var(--quiet);border-bottom:3px solid transparent}
.tabs>label:hover{color:var(--ink)}
.tabs>input:checked+label{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}
.tabs>input:focus-visible+label{outline:3px solid var(--accent);outline-offset:-3px;border-radius:8px}
.tab{order:2;flex:0 0 100%;min-width:0;display:none;padding:16px 16px 4px;border-top:1px solid var(--line)}
.tab h3{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0}
.tab .code{background:var(--paper)}
.tabs>input:nth-of-type(1):checked~.tab:nth-of-type(1),.tabs>input:nth-of-type(2):checked~.tab:nth-of-type(2),.tabs>input:nth-of-type(3):checked~.tab:nth-of-type(3),.tabs>input:nth-of-type(4):checked~.tab:nth-of-type(4){display:block}
@media(scripting:none){.tab:target{display:block}}
table{border-collapse:collapse;font-size:14px;width:100%}
th,td{text-align:start;vertical-align:top;padding:8px 16px 8px 0;border-bottom:1px solid var(--line);min-width:96px}
[dir=rtl] th,[dir=rtl] td{padding:8px 0 8px 16px}
th{color:var(--quiet);font-size:13px;font-weight:600}
td code{overflow-wrap:normal}
.note{border-inline-start:4px solid var(--warn);padding:4px 16px;margin:0 0 16px;background:var(--card)}
.note :last-child{margin-bottom:0}
.picture img{display:block;width:100%;max-width:560px;height:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
.around{display:flex;flex-wrap:wrap;justify-content:space-between;gap:8px 16px;margin-top:40px;padding-top:16px;border-top:1px solid var(--line)}
.around a{min-height:44px;text-decoration:none}.around small{display:block;color:var(--quiet)}.around .next{margin-inline-start:auto;text-align:end}
.toc>li{margin-bottom:20px}.toc a{display:inline-block;padding:2px 0}.toc>li>a{font-weight:600}.toc ul{list-style:none;padding-inline-start:16px;columns:2 240px}
@media(min-width:900px){.frame{grid-template-columns:240px minmax(0,1fr)}.frame>main{grid-column:2;grid-row:1;padding-top:32px}.pages{grid-column:1;grid-row:1;border-top:0;padding-top:28px;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}.links .down{display:none}}
@media(max-width:600px){.tabs>label{flex:1 1 auto;justify-content:center;padding-inline:8px}.tab{padding:12px 8px 0}.bar,.frame{padding-inline:16px}.search{flex-basis:100%;max-width:none;order:3}.links{gap:4px 16px}th,td{min-width:80px}}
@media print{header,.pages,.around,.copy,.tabs>label{display:none}.tab{display:block!important}.tab h3{position:static;width:auto;height:auto;clip-path:none}}
`.trim()
