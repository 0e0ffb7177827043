import { once } from 'node:events'
import { start } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import type { Config } from '../config/settings.ts'
import { parseKey } from '../domain/keys.ts'
import { places } from '../geo/places.ts'
import { isForPeople, openLog } from '../startup/log.ts'
import { startDemo, startDemoFeed } from './demo.ts'
import { firstSteps } from './first-steps.ts'
import { stopSignal } from './stop-signal.ts'

/** `notCompiled` tells why compiled code is not kept, if it is not. */
export async function serveCommand(args: readonly string[], notCompiled: string | null): Promise<void> {
  const config = checkConfig(readConfig(process.env, args))
  const stop = stopSignal()
  await serveUntil(stop, config, notCompiled)
  // What a hanging database still holds must not keep the process alive.
  if (stop.aborted) process.exit(0)
}

async function serveUntil(stop: AbortSignal, given: Config, notCompiled: string | null): Promise<void> {
  const config = given.DEMO ? demoConfig(given) : given
  const logger = openLog(config)
  if (notCompiled !== null) logger.info(`starts take longer, because compiled code is not kept: ${notCompiled}`)
  stop.addEventListener('abort', () => logger.info(`stopping: ${stop.reason}`))
  const stopped = stop.aborted ? Promise.resolve(null) : once(stop, 'abort').then(() => null)
  await using running = new AsyncDisposableStack()
  const feed = config.DEMO ? running.use(await startDemoFeed(places)) : null
  // The guard stays closed for everybody: only the demo's own feed passes it.
  const sources = feed === null ? {} : { trustedOrigins: [feed.origin] }
  const app = running.use(await start(config, { logger, sources }))
  const ready = await Promise.race([app.ready, stopped])
  if (ready !== null && feed !== null) {
    const demo = startDemo(ready.store, places, app.url, feed.url).then((started) =>
      running.disposed ? started[Symbol.asyncDispose]() : void running.use(started),
    )
    await Promise.race([demo, stopped])
  } else if (ready?.archive.size === 0 && isAtTerminal(config)) {
    const publicUrl = config.PUBLIC_URL ?? app.url
    const steps = firstSteps(ready.store, publicUrl, config.DATABASE_URL, Date.now())
    await steps.then(console.log, (error) => logger.warn({ err: error }, 'the next steps cannot be printed'))
  }
  await stopped
}

/** The steps contain a link that signs in: never in a log that is kept. */
function isAtTerminal({ LOG_FORMAT }: Config): boolean {
  return process.stdout.isTTY && isForPeople(LOG_FORMAT)
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
