/**
 * Both themes by the variables of the page. `--mark-scale` keeps marks at their size in pixels
 * when scripts place the map at another zoom.
 */
export const SVG_MAP_STYLE = `
.svg-map{display:block;width:100%;height:auto;background:var(--outside)}
.svg-map .land{fill:var(--land);stroke:var(--border);stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.svg-map .borders{fill:none;stroke:var(--border);stroke-width:1;vector-effect:non-scaling-stroke}
.svg-map a{cursor:pointer;outline-offset:2px}
.svg-map a>g{transform:scale(var(--mark-scale,1))}
.svg-map a circle{fill:var(--panel);stroke:none}
.svg-map a:hover>g>circle:first-child,.svg-map a:focus-visible>g>circle:first-child{stroke:var(--accent);stroke-width:3}
.svg-map .dot>circle:first-child{fill:transparent}
.svg-map a .ring{fill:none;stroke-width:6}
.svg-map .dot .ring{stroke-width:2.4}
.svg-map text{fill:var(--ink);font:600 23px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}
.svg-map circle.low{fill:var(--low)}.svg-map circle.medium{fill:var(--medium)}.svg-map circle.high{fill:var(--high)}.svg-map circle.critical{fill:var(--critical)}
.svg-map .ring.low{fill:none;stroke:var(--low)}.svg-map .ring.medium{fill:none;stroke:var(--medium)}.svg-map .ring.high{fill:none;stroke:var(--high)}.svg-map .ring.critical{fill:none;stroke:var(--critical)}
.svg-map .zoom-4{display:none}
@media(max-width:599px){.svg-map:not([data-zoom]) .zoom-5{display:none}.svg-map:not([data-zoom]) .zoom-4{display:inline;--mark-scale:1.5}}
.svg-map[data-zoom="4"] .zoom-5{display:none}.svg-map[data-zoom="4"] .zoom-4{display:inline}
`
