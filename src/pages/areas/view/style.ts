export const AREA_STYLE = `
.area{display:grid;grid-template-columns:minmax(0,1fr);gap:0 40px}
.area h2{margin:32px 0 8px}
.trail{font-size:13px;margin:0 0 8px}
.trail a{display:inline-block;padding:4px 0}
.figures{display:flex;flex-wrap:wrap;gap:8px 32px;margin:8px 0 12px;padding:0;list-style:none}
.figures b{display:block;font-size:28px;line-height:1.2;font-weight:600}
.figures li{color:var(--quiet);font-size:13px}
.figures b{color:var(--ink)}
.severities{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 12px;padding:0 0 0 4px;list-style:none;font-size:13px}
.severities .mark{width:10px;height:10px}
.area-trend ul{list-style:none;margin:0;padding:0;max-width:480px}
.area-trend li{padding:4px 0}
.area-trend svg{display:block;width:100%;height:16px;margin:6px 0 4px}
.area-trend .scale{fill:var(--line)}
.area-trend .usual{fill:var(--border)}
.area-trend .seen{fill:var(--ink)}
.area-trend rect.higher{fill:var(--critical)}
.area-trend strong.higher{white-space:nowrap}
.area-trend .quiet{margin:4px 0 0}
.area-trend .quiet a{display:inline-block;padding:4px 0}
.area-map svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
.area-map p{margin:8px 0 0}
.area .rows{margin:8px 0 12px}
.area .row{padding:12px 16px 12px 12px}
.chart{margin:0}
.chart>svg{display:block;width:100%;max-width:480px;height:auto;overflow:visible}
.chart rect{fill:var(--accent)}
.chart rect.now{opacity:.5}
.chart path{stroke:var(--border);fill:none}
.chart text{fill:var(--quiet);font:12px system-ui,sans-serif}
.chart p{margin:4px 0 0}
.chart details{max-width:480px;font-size:13px}
.chart summary{padding:8px 0}
.types{list-style:none;margin:0;padding:0;max-width:480px}
.types a{display:grid;grid-template-columns:1fr auto;gap:2px 12px;padding:8px 0;color:inherit;text-decoration:none}
.types a:hover span,.places a:hover span{text-decoration:underline}
.types svg{grid-column:1/3;display:block;width:100%;height:6px;background:var(--outside);border-radius:3px}
.places{list-style:none;margin:8px 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr));gap:0 24px}
.places a{display:flex;justify-content:space-between;gap:12px;min-height:44px;align-items:center;border-bottom:1px solid var(--line);color:inherit;text-decoration:none}
.places span{color:var(--accent)}
.links{list-style:none;margin:0;padding:0}
.links a{display:inline-block;padding:10px 0}
.credits{overflow-wrap:anywhere}
@media(min-width:900px){.area{grid-template-columns:minmax(0,1fr) 400px;grid-template-rows:auto auto auto 1fr;grid-template-areas:"head map" "list map" "list trend" "list charts" "rest rest"}
.area-head{grid-area:head}.area-map{grid-area:map}.area-trend{grid-area:trend}.area-list{grid-area:list}.area-charts{grid-area:charts}.area-rest{grid-area:rest}
.area-charts{margin-top:0}.area-list>h2:first-child{margin-top:16px}}
@media print{.area-map svg,.chart svg{break-inside:avoid;print-color-adjust:exact}.links{display:none}}
`
