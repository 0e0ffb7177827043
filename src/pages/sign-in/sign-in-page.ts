import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../api/services.ts'
import { html } from '../html.ts'
import { THEME_SCRIPT } from '../map/policy.ts'
import { siteHead } from '../site/head.ts'
import { findSession, type SessionFound } from './find-session.ts'

const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash('sha256', THEME_SCRIPT, 'base64')}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'content-type': 'text/html; charset=utf-8',
  // The address may hold a token, and the answer says whether somebody is signed in.
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** Serves the page that signs people in. */
export function signInPage(
  server: FastifyInstance,
  environment: Environment,
  hasSession: (request: FastifyRequest) => Promise<boolean>,
): void {
  server.get('/sign-in', async (request, reply) => {
    return reply.headers(HEADERS).send(writeDocument(environment, await findSession(request, hasSession)))
  })
}

function writeDocument({ mapAssets, mailer }: Environment, session: SessionFound): string {
  const { script, styles, preloads } = mapAssets?.signIn ?? { script: null, styles: [], preloads: [] }
  const links = html`${preloads.map((path) => html`<link rel="modulepreload" href="${path}">`)}${styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}`
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign in · Incident Feed</title><meta name="description" content="Sign in to Incident Feed."><meta name="robots" content="noindex">${siteHead()}${links}`
  const module = script === null ? html`` : html`<script type="module" src="${script}"></script>`
  const notBuilt = script === null ? html`<p>The pages have not been built: run npm run build.</p>` : html``
  const data = JSON.stringify({ session, mail: mailer !== null })
  return `<!doctype html><html lang="en"><head>${head.text}<script>${THEME_SCRIPT}</script></head><body><div id="app">${notBuilt.text}</div><noscript><p>Signing in needs JavaScript.</p></noscript><script type="application/json" id="initial-data">${data}</script>${module.text}</body></html>`
}
