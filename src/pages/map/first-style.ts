import { SVG_MAP_STYLE } from '../svg-map/style.ts'

/**
 * The style of the server's page, in the page itself: text and map are painted with the first
 * bytes. Colours as in web/shared/tokens.css; the layout is near that of the scripts' page, so that
 * little moves when they take over.
 */
export const FIRST_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#14171b);--panel:light-dark(#fff,#1b1f24);--ink:light-dark(#1d2126,#e8eaed);--quiet:light-dark(#5d6570,#9aa4af);--line:light-dark(#dcd8cf,#2c333b);--land:light-dark(#f3f0e8,#20262d);--outside:light-dark(#e4e9ec,#0f1215);--border:light-dark(#b5ae9f,#46505b);--accent:light-dark(#0b6b58,#4fc3a8);--low:light-dark(#6a94b8,#7fa8cc);--medium:light-dark(#d99a1c,#f0b840);--high:light-dark(#d9502a,#ff7a4d);--critical:light-dark(#7d0f33,#ff4d78)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:.9375rem/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
.skip-link{position:absolute;top:-4rem;left:8px;z-index:9;padding:12px 16px;background:var(--panel);color:var(--accent)}
.skip-link:focus{top:4px}
.bar{display:flex;align-items:center;gap:12px;min-height:48px;padding:0 12px 0 16px;background:var(--panel);border-bottom:1px solid var(--line)}
.name{font-weight:600;color:inherit;text-decoration:none;line-height:44px}
.bar-link{color:var(--quiet);text-decoration:none;line-height:44px}
.pill{padding:0 10px;border:1px solid var(--line);border-radius:99px;font-size:.8125rem}
.grow{flex:1}
.plain{max-width:720px;margin:0 auto;padding:12px 16px 64px}
.plain h1{font-size:1.25rem;margin:0 0 4px}
.plain h2{font-size:.9375rem;margin:16px 0 4px}
.plain p{margin:0 0 8px;max-width:68ch}
.plain a{color:var(--accent)}
.quiet{color:var(--quiet);font-size:.8125rem}
.draft{padding:8px 12px;border:1px dashed var(--medium);border-radius:8px;font-size:.8125rem}
.plain dt{color:var(--quiet);font-size:.8125rem}.plain dd{margin:0 0 8px}
.languages a{display:inline-block;padding:12px 12px 12px 0}
.plain-map{margin:0 -16px}
.plain-legend{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 16px;margin:0;padding:8px 16px;list-style:none;font-size:.8125rem}
.plain-legend .mark{margin:0 8px 0 0}
.plain .rows{list-style:none;margin:8px 0 0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.plain .rows li:nth-child(n+9){content-visibility:auto;contain-intrinsic-size:auto 5.5rem}
.plain .rows li+li{border-top:1px solid var(--line)}
.plain .row{display:grid;grid-template-columns:18px 1fr;gap:2px 10px;padding:11px 16px;border:0;color:inherit;text-decoration:none}
.row-meta{grid-column:2;color:var(--quiet);font-size:.8125rem}
.plain .row .mark{margin-top:7px;place-self:start center}
.mark{display:inline-block;flex:none;width:8px;height:8px;border-radius:50%;background:var(--low)}
.mark.low{width:6px;height:6px}.mark.medium{background:var(--medium)}
.mark.high{background:var(--high);box-shadow:0 0 0 1.5px var(--panel),0 0 0 2.7px var(--high)}
.mark.critical{background:var(--critical);box-shadow:0 0 0 1.5px var(--panel),0 0 0 2.7px var(--critical),0 0 0 4.2px var(--panel),0 0 0 5.2px var(--critical)}
#app>.bar{flex-wrap:wrap}@media(max-width:480px){#app>.bar{gap:0 8px}#app>.bar .bar-link{font-size:.8125rem}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.plain-list>p>a{display:inline-block;padding:12px 0}
@media(min-width:900px){.plain.with-map{display:grid;grid-template:auto 1fr/348px minmax(0,1fr);gap:0 32px;max-width:none;padding:12px 16px 32px}
.with-map .plain-head{grid-column:1}.with-map .plain-map{grid-area:1/2/3/3;position:sticky;top:0;align-self:start;margin:-12px -16px 0 0}
.with-map .svg-map{max-height:calc(100vh - 130px)}.with-map .plain-list,.with-map .languages{grid-column:1}}
@media print{:root,:root[data-theme]{color-scheme:light}.skip-link,.bar>:not(.name),.languages{display:none}.mark{print-color-adjust:exact}.row{break-inside:avoid}.plain-map .svg-map{max-height:150mm}}
${SVG_MAP_STYLE}`
