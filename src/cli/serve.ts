import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { makeAccount } from '../accounts/keys.ts'
import { issueSignInLink } from '../accounts/sign-in.ts'
import { type App, type StartOptions, start } from '../app.ts'
import type { Archive } from '../archive/archive.ts'
import { readConfig } from '../config/read-config.ts'
import { SettingError } from '../config/setting-kinds.ts'
import { type Config, SETTINGS } from '../config/settings.ts'
import type { Account } from '../domain/accounts.ts'
import { FIRST_IMPORT } from '../domain/import-report.ts'
import { parseKey } from '../domain/keys.ts'
import { places } from '../geo/places.ts'
import { openLog } from '../startup/log.ts'
import type { Store } from '../store/store.ts'
import { auditedStore } from './audited-store.ts'
import { fillDemo, startDemo, startDemoFeed } from './demo.ts'

/** `notCompiled` tells why compiled code is not kept, if it is not. */
export async function serveCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  notCompiled: string | null,
): Promise<void> {
  const config = checkConfig(readConfig(env, args))
  const stopping = new Stopping(config.DRAIN_SECONDS * 1000)
  await serveUntil(stopping, config, notCompiled)
  // A hanging database must not keep the process alive.
  if (stopping.asked.aborted) process.exit(0)
}

async function serveUntil(stopping: Stopping, given: Config, notCompiled: string | null): Promise<void> {
  const stop = stopping.asked
  const config = given.DEMO ? demoConfig(given) : given
  const logger = openLog(config)
  if (notCompiled !== null) logger.info(`starts take longer, because compiled code is not kept: ${notCompiled}`)
  stop.addEventListener('abort', () => logger.info(`stopping: ${stop.reason}`))
  const stopped = stop.aborted ? Promise.resolve(null) : once(stop, 'abort').then(() => null)
  await using running = new AsyncDisposableStack()
  const feed = config.DEMO ? running.use(await startDemoFeed(places)) : null
  // The guard stays closed for everybody: only the demo's own feed passes it.
  const demo: StartOptions =
    feed === null ? {} : { sources: { trustedOrigins: [feed.origin] }, fill: (store) => fillDemo(store, places) }
  let app = await start(config, { logger, ...demo })
  running.defer(() => app[Symbol.asyncDispose]())
  const ready = await Promise.race([app.ready, stopped])
  if (ready !== null && feed !== null) {
    const arriving = startDemo(ready.store, places, app.url, feed.url).then((started) =>
      running.disposed ? started[Symbol.asyncDispose]() : void running.use(started),
    )
    await Promise.race([arriving, stopped])
  } else if (ready !== null && showsSteps(ready.archive, process.stdout, config)) {
    const publicUrl = config.PUBLIC_URL ?? app.url
    const steps = firstSteps(ready.store, publicUrl, config.DATABASE_URL, Date.now())
    await steps.then(console.log, (error) => logger.warn({ err: error }, 'the next steps cannot be printed'))
  }
  for (let lostEvents = 0; ; ) {
    const lost = await Promise.race([app.lost, stopped])
    if (lost === null) break
    lostEvents += lost
    await app[Symbol.asyncDispose]()
    app = await start(atSameAddress(config, app), { logger, lostEvents })
  }
  await app.drain(config.DRAIN_SECONDS * 1000, stopping.hurried)
  stopping.hurry()
}

function atSameAddress(config: Config, { url, metricsUrl }: App): Config {
  const portOf = (address: string) => Number(new URL(address).port)
  return { ...config, PORT: portOf(url), METRICS_PORT: metricsUrl === null ? null : portOf(metricsUrl) }
}

/** The steps contain a link that signs in: never in a log that is kept. */
export function showsSteps(
  { size }: Pick<Archive, 'size'>,
  { isTTY }: { readonly isTTY: boolean },
  { LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>,
): boolean {
  return size === 0 && isTTY && LOG_FORMAT !== 'json'
}

/** A demo keeps no data; `info` is not logged, to leave the console to the printed guide. */
function demoConfig(config: Config): Config {
  return {
    ...config,
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL,
  }
}

/** Checks settings that depend on one another. */
function checkConfig(config: Config): Config {
  const mistakes: string[] = []
  if (config.SIGNUP === 'email' && config.SMTP_URL === null)
    mistakes.push('SIGNUP=email requires SMTP_URL, the mail server')
  if (config.OPERATOR_KEY !== null && !('kind' in parseKey(config.OPERATOR_KEY)))
    mistakes.push('OPERATOR_KEY is not a well-formed key; generate one with: incident-feed keys generate')
  if (mistakes.length > 0) throw new SettingError(mistakes.join('\n'))
  return config
}

/** A stop takes less, whatever clients and the database do; this guards against our own errors. */
const SHUTDOWN_TIMEOUT_MS = 9500
const PARENT_CHECK_INTERVAL_MS = 500
/** Ctrl-C is a person who waits, and no load balancer follows from there. */
const SIGNALS = { SIGTERM: 'drains', SIGHUP: 'drains', SIGINT: 'at once' } as const

/**
 * Stops with the first signal, or when the npm that started this process ends. A signal during the
 * drain ends the drain; one after it ends the process at once.
 */
class Stopping {
  readonly #asked = new AbortController()
  readonly #hurried = new AbortController()
  readonly #drainMs: number

  constructor(drainMs: number) {
    this.#drainMs = drainMs
    for (const [signal, how] of Object.entries(SIGNALS)) process.on(signal, () => this.#receive(signal, how))
    if (process.env.npm_lifecycle_event !== undefined)
      whenLauncherEnds(() => {
        if (!this.asked.aborted) this.#receive('the npm that started it has ended', 'at once')
      })
  }

  /** Its reason names what asked for the stop. */
  get asked(): AbortSignal {
    return this.#asked.signal
  }

  /** Aborted when the service no longer drains. */
  get hurried(): AbortSignal {
    return this.#hurried.signal
  }

  hurry(): void {
    this.#hurried.abort()
    endAfter(SHUTDOWN_TIMEOUT_MS)
  }

  #receive(reason: string, how: 'drains' | 'at once'): void {
    if (this.hurried.aborted) process.exit(1)
    if (how === 'at once' || this.asked.aborted) this.hurry()
    else endAfter(this.#drainMs + SHUTDOWN_TIMEOUT_MS)
    this.#asked.abort(reason)
  }
}

function endAfter(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref()
}

/**
 * npm passes a signal on to the shell between it and this process (`npx` always has one), which
 * ends without passing it on; and nothing is passed on if npm is killed. Then this process has
 * another parent, or the shell has.
 */
function whenLauncherEnds(onEnd: () => void): void {
  const launchers = launcherIds()
  const timer = setInterval(() => {
    if (launcherIds().join() === launchers.join()) return
    clearInterval(timer)
    onEnd()
  }, PARENT_CHECK_INTERVAL_MS)
  timer.unref()
}

/** The parent, and its parent if the parent is only the shell in which npm runs a command. */
function launcherIds(): number[] {
  const parent = process.ppid
  try {
    const isShell = /^(\S*\/)?(ba|da)?sh\0-c\0/.test(readFileSync(`/proc/${parent}/cmdline`, 'latin1'))
    if (!isShell) return [parent]
    const status = readFileSync(`/proc/${parent}/status`, 'latin1')
    return [parent, Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])]
  } catch {
    // Without Linux's /proc, or the parent has ended this moment, which the next check sees.
    return [parent]
  }
}

/** Whoever is at the terminal of a first start opens it at once; the next start prints another. */
const LINK_VALID_MS = 3_600_000
const FIRST_ADMIN = 'First admin'

/** The next three steps of whoever has just started a service without incidents. */
export async function firstSteps(store: Store, publicUrl: string, databaseUrl: string, now: number): Promise<string> {
  return `
  The archive is empty. The next three steps:

  1  Sign in as admin   ${await signInStep(store, publicUrl, now)}

  2  Import history     ${FIRST_IMPORT}${databaseFlag(databaseUrl)}
                        from UCDP, ACLED, CSV, GeoJSON or NDJSON: docs/importing.md

  3  Open the console   ${publicUrl}/console
                        keys, the first request, webhooks

  To look around first: npx incident-feed --demo has 20,000 synthetic incidents and stores nothing.
`
}

async function signInStep(store: Store, publicUrl: string, now: number): Promise<string> {
  const admins = await store.accounts.list({ role: 'admin', status: 'active' }, 2, null)
  const [admin] = admins
  if (admin !== undefined && (admins.length > 1 || !isFirstAdmin(admin)))
    return `${publicUrl}/sign-in
                        or a link for an admin: npx incident-feed accounts sign-in-link ${admin.id}`
  const account = admin ?? (await openFirstAdmin(store, now))
  const audited = auditedStore(store, { action: 'account.sign_in_link', subject: account.id })
  const { url } = await issueSignInLink(audited, publicUrl, { accountId: account.id, validMs: LINK_VALID_MS }, now)
  return `${url}
                        works once, within an hour; then add a passkey and invite colleagues`
}

/** Nobody but this function opens an admin without an address, a key and a name of a person. */
function isFirstAdmin({ name, email }: Account): boolean {
  return name === FIRST_ADMIN && email === null
}

async function openFirstAdmin(store: Store, now: number): Promise<Account> {
  const account: Account = { ...makeAccount({ email: null, name: FIRST_ADMIN }, {}, now), role: 'admin' }
  const act = { action: 'account.create', subject: account.id, after: { name: account.name, role: account.role } }
  await auditedStore(store, act).accounts.ensure(account)
  return account
}

/** Commands read the environment, but not the flags of the service. A URL may have a password. */
function databaseFlag(databaseUrl: string): string {
  const isDefault = databaseUrl === SETTINGS.DATABASE_URL.fallback
  return isDefault || !databaseUrl.startsWith('sqlite:') ? '' : ` --database-url ${databaseUrl}`
}
