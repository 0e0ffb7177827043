/** System fonts, light or dark as the browser prefers. */
export const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#14171b);--panel:light-dark(#fff,#1b1f24);--ink:light-dark(#1d2126,#e8eaed);--quiet:light-dark(#5d6570,#9aa4af);--line:light-dark(#dcd8cf,#2c333b);--accent:light-dark(#0b6b58,#4fc3a8);--land:light-dark(#f3f0e8,#20262d);--outside:light-dark(#e4e9ec,#0f1215);--border:light-dark(#b5ae9f,#46505b);--low:light-dark(#6a94b8,#7fa8cc);--medium:light-dark(#d99a1c,#f0b840);--high:light-dark(#d9502a,#ff7a4d);--critical:light-dark(#7d0f33,#ff4d78)}
*{box-sizing:border-box}
html{scroll-padding-top:64px}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
header{position:sticky;top:0;z-index:1;display:flex;align-items:center;justify-content:space-between;height:48px;padding:0 16px;background:var(--panel);border-bottom:1px solid var(--line)}
header a{color:inherit;text-decoration:none}
header nav a{margin-left:20px;color:var(--quiet)}
.name{font-weight:600}
main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:24px;line-height:1.25;margin:0 0 8px}
h2{font-size:20px;margin:40px 0 8px}
h3{font-size:15px;margin:0}
p{margin:0 0 12px;max-width:68ch}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.quiet{color:var(--quiet);font-size:13px}
code,pre{font:13px/1.5 ui-monospace,monospace}
code{background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:4px;padding:1px 4px;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px;overflow:auto;margin:8px 0 16px}
pre code{background:none;padding:0}
.rows{list-style:none;margin:16px 0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.rows li+li{border-top:1px solid var(--line)}
.row{display:grid;grid-template-columns:20px 1fr;gap:4px 8px;padding:12px 16px;color:inherit;text-decoration:none}
.row-meta{grid-column:2;color:var(--quiet);font-size:13px}
.grow{flex:1}
.pill{margin-left:12px;padding:2px 10px;border:1px solid var(--line);border-radius:99px;font-size:13px}
.mark{width:12px;height:12px;margin-top:5px;border-radius:50%;justify-self:center;background:var(--low)}
.mark.low{transform:scale(.7)}
.mark.medium{background:var(--medium);transform:scale(.85)}
.mark.high{background:var(--high)}
.mark.critical{background:var(--critical);box-shadow:0 0 0 2px var(--panel),0 0 0 4px var(--critical)}
section.endpoint{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:16px;margin:0 0 16px}
.method{display:inline-block;min-width:56px;font:600 12px ui-monospace,monospace;color:var(--accent)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:8px 0}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line);font-size:13px}
th{font-weight:600;color:var(--quiet);border-top:0}
td:first-child{white-space:nowrap}
details{margin:8px 0}
summary{cursor:pointer;color:var(--accent)}
button{font:inherit;font-weight:600;min-height:44px;padding:0 20px;border:0;border-radius:8px;background:var(--accent);color:var(--paper);cursor:pointer}
.key{display:block;padding:16px;font-size:15px;overflow-wrap:anywhere;user-select:all}
.draft{padding:8px 12px;border:1px dashed var(--medium);border-radius:8px;font-size:13px}
.about{max-width:68ch}
.about h3{margin:24px 0 4px}
.about ul{margin:0 0 12px;padding-left:20px}
.about .plain-list{list-style:none;padding-left:4px}
.with-mark{display:flex;gap:12px}
.with-mark .mark{flex:none;margin-top:6px}
.languages a{display:inline-block;padding:12px 12px 12px 0}
.briefing .figure{font-size:28px;font-weight:600;margin:12px 0 0}
.briefing .severities{display:flex;flex-wrap:wrap;gap:4px 24px;list-style:none;padding:0 0 0 4px}
.briefing-map svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
.briefing-list{list-style:none;padding:0 0 0 4px}
.briefing-list li{padding:8px 0;border-bottom:1px solid var(--line);break-inside:avoid}
@page{size:A4;margin:16mm}
@media print{:root{color-scheme:light}body{background:none;font-size:12px}header,.languages{display:none}main{max-width:none;padding:0}.mark{print-color-adjust:exact}h2{break-after:avoid}a{color:inherit}}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line)}
footer>a{display:inline-block;padding:6px 0}
@media(max-width:480px){header a{white-space:nowrap}header nav a{margin-left:14px;font-size:13px}header nav a:first-child{display:none}}
@media(max-width:760px){td:first-child{white-space:normal}}
`
