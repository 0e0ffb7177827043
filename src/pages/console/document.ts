import type { Environment } from '../../api/services.ts'
import { html } from '../html.ts'
import { THEME_SCRIPT } from '../map/policy.ts'
import type { SessionFound } from '../sign-in/find-session.ts'
import { siteHead } from '../site/head.ts'

const DESCRIPTION = 'Get a key, try a request, watch for incidents, and see every delivery.'

/** Writes the page; the scripts build everything in it. */
export function consoleDocument(
  { mapAssets, config, geography }: Environment,
  session: SessionFound,
  now: number,
): string {
  const files = mapAssets?.console ?? { script: null, styles: [], preloads: [] }
  const links = html`${files.preloads.map((path) => html`<link rel="modulepreload" href="${path}">`)}${files.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}`
  const script = files.script === null ? html`` : html`<script type="module" src="${files.script}"></script>`
  const waiting =
    files.script === null ? 'The pages have not been built: run npm run build.' : 'The console is being loaded.'
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Console · Incident Feed</title><meta name="description" content="${DESCRIPTION}">${siteHead()}${links}`
  const settings = {
    now: new Date(now).toISOString(),
    demo: config.DEMO,
    session,
    signUp: config.SIGNUP,
    hasLgas: geography.lgasGeoJson !== null,
    hasRoads: geography.roadsGeoJson !== null,
  }
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c')
  const withoutScript = html`<noscript><p class="loading">The console needs JavaScript. The API does everything it does: <a href="/docs">see the reference</a>.</p></noscript>`
  return `<!doctype html><html lang="en"><head>${head.text}<script>${THEME_SCRIPT}</script></head><body><div id="app"><p class="loading">${waiting}</p></div>${withoutScript.text}<script type="application/json" id="initial-data">${data}</script>${script.text}</body></html>`
}
