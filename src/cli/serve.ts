import { once } from 'node:events'
import { start } from '../app.ts'
import { ConfigError } from '../config/config-error.ts'
import { readConfig } from '../config/read-config.ts'
import type { Config } from '../config/settings.ts'
import { parseKey } from '../domain/accounts/key.ts'
import { places } from '../geo/places.ts'
import { startDemo, startDemoFeed } from './demo.ts'

/** A stop takes less, whatever clients and the database do; this guards against our own errors. */
const SHUTDOWN_TIMEOUT_MS = 9500

export async function serveCommand(args: readonly string[]): Promise<void> {
  const config = checkConfig(readConfig(process.env, args))
  const stop = stopSignal()
  await serveUntil(stop, config)
  // What a hanging database still holds must not keep the process alive.
  if (stop.aborted) process.exit(0)
}

async function serveUntil(stop: AbortSignal, config: Config): Promise<void> {
  const stopped = stop.aborted ? Promise.resolve(null) : once(stop, 'abort').then(() => null)
  await using running = new AsyncDisposableStack()
  const feed = config.DEMO ? running.use(await startDemoFeed(places)) : null
  // The guard stays closed for everybody: only the demo's own feed passes it.
  const options = feed === null ? {} : { sources: { trustedOrigins: [feed.origin] } }
  const app = running.use(await start(config.DEMO ? demoConfig(config) : config, options))
  const ready = await Promise.race([app.ready, stopped])
  if (ready !== null && feed !== null) {
    const demo = startDemo(ready.store, places, app.url, feed.url).then((started) =>
      running.disposed ? started[Symbol.asyncDispose]() : void running.use(started),
    )
    await Promise.race([demo, stopped])
  }
  await stopped
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
  if (config.SIGNUP === 'email' && config.SMTP_URL === null)
    throw new ConfigError('SIGNUP=email requires SMTP_URL, the mail server')
  if (config.OPERATOR_KEY !== null && !('kind' in parseKey(config.OPERATOR_KEY))) {
    throw new ConfigError('OPERATOR_KEY is not a well-formed key; generate one with: incident-feed keys generate')
  }
  return config
}

/** Aborted by the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1)
      setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
      stop.abort()
    })
  }
  return stop.signal
}
