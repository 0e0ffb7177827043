import type { Environment } from '../../api/services.ts'
import { html } from '../html.ts'
import { THEME_SCRIPT } from '../map/policy.ts'
import { siteHead } from '../site/head.ts'

/** Writes the page; the scripts build everything in it. */
export function deskDocument({ mapAssets, config, geography }: Environment, now: number): string {
  const files = mapAssets?.desk ?? { script: null, styles: [], preloads: [] }
  const links = html`${files.preloads.map((path) => html`<link rel="modulepreload" href="${path}">`)}${files.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}`
  const script = files.script === null ? null : html`<script type="module" src="${files.script}"></script>`
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Desk · Incident Feed</title><meta name="robots" content="noindex">${siteHead()}${links}`
  const settings = {
    now: new Date(now).toISOString(),
    demo: config.DEMO,
    hasLgas: geography.lgasGeoJson !== null,
    hasRoads: geography.roadsGeoJson !== null,
  }
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c')
  return `<!doctype html><html lang="en"><head>${head.text}<script>${THEME_SCRIPT}</script></head><body><div id="app"><p class="loading">The desk is being loaded.</p></div><noscript>The desk needs JavaScript.</noscript><script type="application/json" id="initial-data">${data}</script>${script?.text ?? ''}</body></html>`
}
