import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment, Phase } from '../api/services.ts'
import { Problem } from '../domain/errors.ts'
import { StoreUnavailable } from '../store/store.ts'
import { type Html, html } from './html.ts'
import { THEME_SCRIPT } from './map/document.ts'
import { sendPage, siteHead } from './page.ts'

// The console, the desk and signing in: pages that scripts build.

/** Whether the request comes with a session that is valid. */
type HasSession = (request: FastifyRequest) => Promise<boolean>

/** `unknown`: the script has to ask. */
type SessionFound = 'yes' | 'no' | 'unknown'

interface PageFiles {
  /** Null if the pages have not been built. */
  readonly script: string | null
  readonly styles: readonly string[]
  readonly preloads: readonly string[]
}

const NO_FILES: PageFiles = { script: null, styles: [], preloads: [] }
const RETRY_AFTER_SECONDS = '2'

/** Serves the console to everybody: whoever has no session gets a key there. */
export function consolePage(server: FastifyInstance, environment: Environment, hasSession: HasSession): void {
  const { mapAssets, config } = environment
  const files = mapAssets?.console ?? NO_FILES
  const waiting =
    files.script === null ? 'The pages have not been built: run npm run build.' : 'The console is being loaded.'
  const head = html`<title>Console · Incident Feed</title><meta name="description" content="Get a key, try a request, watch for incidents, and see every delivery.">`
  const body = html`<div id="app"><p class="loading">${waiting}</p></div><noscript><p class="loading">The console needs JavaScript. The API does everything it does: <a href="/docs">see the reference</a>.</p></noscript>`
  server.get('/console', async (request, reply) => {
    const session = await findSession(request, hasSession)
    const { now, demo, ...ground } = settingsOf(environment)
    return sendApp(reply, files, head, body, { now, demo, session, signUp: config.SIGNUP, ...ground })
  })
}

/** Serves the desk to people with a session; everybody else is sent to sign in first. */
export function deskPage(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  hasSession: HasSession,
): void {
  const files = environment.mapAssets?.desk ?? NO_FILES
  const head = html`<title>Desk · Incident Feed</title><meta name="robots" content="noindex">`
  const body = html`<div id="app"><p class="loading">The desk is being loaded.</p></div><noscript>The desk needs JavaScript.</noscript>`
  server.get('/desk', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (currentPhase().phase === 'starting') return sendStarting(reply)
    if (!(await hasSession(request))) return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    return sendApp(reply, files, head, body, settingsOf(environment))
  })
}

/** Serves the page that signs people in. */
export function signInPage(server: FastifyInstance, environment: Environment, hasSession: HasSession): void {
  const { mapAssets, mailer } = environment
  const files = mapAssets?.signIn ?? NO_FILES
  const notBuilt = files.script === null ? html`<p>The pages have not been built: run npm run build.</p>` : html``
  const head = html`<title>Sign in · Incident Feed</title><meta name="description" content="Sign in to Incident Feed."><meta name="robots" content="noindex">`
  const body = html`<div id="app">${notBuilt}</div><noscript><p>Signing in needs JavaScript.</p></noscript>`
  server.get('/sign-in', async (request, reply) => {
    const session = await findSession(request, hasSession)
    return sendApp(reply, files, head, body, { session, mail: mailer !== null }, SIGN_IN_POLICY)
  })
}

/**
 * Nothing stores the answer: it says whether somebody is signed in, and the address may hold a
 * token.
 */
function sendApp(
  reply: FastifyReply,
  { script, styles, preloads }: PageFiles,
  head: Html,
  body: Html,
  settings: object,
  policy = APP_POLICY,
): FastifyReply {
  const links = html`${preloads.map((path) => html`<link rel="modulepreload" href="${path}">`)}${styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}`
  const top = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}${siteHead()}${links}`
  const module = script === null ? html`` : html`<script type="module" src="${script}"></script>`
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c')
  return reply
    .headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
    })
    .send(
      `<!doctype html><html lang="en"><head>${top.text}<script>${THEME_SCRIPT}</script></head><body>${body.text}<script type="application/json" id="initial-data">${data}</script>${module.text}</body></html>`,
    )
}

function settingsOf({ config, geography, clock }: Environment) {
  return {
    now: new Date(clock()).toISOString(),
    demo: config.DEMO,
    hasLgas: geography.lgasGeoJson !== null,
    hasRoads: geography.roadsGeoJson !== null,
  }
}

/** The `refresh` header makes the browser retry. */
function sendStarting(reply: FastifyReply): FastifyReply {
  reply.status(503).headers({ 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS })
  const body = html`<h1>The desk is starting</h1><p>It opens here by itself.</p>`
  return sendPage(reply, { title: 'Desk · Incident Feed', description: 'The desk of Incident Feed.', body })
}

/** Whether the reader of a page that works without a session has one. */
async function findSession(request: FastifyRequest, hasSession: HasSession): Promise<SessionFound> {
  try {
    if (await hasSession(request)) return 'yes'
  } catch (error) {
    // The page works without the database, and shows what the script is told.
    if (error instanceof Problem || error instanceof StoreUnavailable) return 'unknown'
    throw error
  }
  // A browser keeps the cookie back if a page of another site led here.
  return request.headers['sec-fetch-site'] === 'cross-site' ? 'unknown' : 'no'
}

/** Content-Security-Policy: own files and this service, in no frame. */
function policyOf(images: string, ...more: string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', THEME_SCRIPT, 'base64')}'`,
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    ...more,
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const APP_POLICY = policyOf("'self' data: blob:", "worker-src 'self'")
const SIGN_IN_POLICY = policyOf("'self' data:")
