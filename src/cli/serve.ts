import { start } from '../app.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { parseKey } from '../domain/key.ts'
import { places } from '../geo/places.ts'
import { startDemo } from './demo.ts'

/** After this time, running requests are cut off; a supervisor would kill the process anyway. */
const SHUTDOWN_TIMEOUT_MS = 10_000

export async function serveCommand(args: readonly string[]): Promise<void> {
  const config = checkConfig(readConfig(process.env, args))
  const running = new AsyncDisposableStack()
  stopOnSignals(running)
  try {
    const app = running.use(await start(config.DEMO ? demoConfig(config) : config))
    const { store } = await app.ready
    if (config.DEMO) running.use(await startDemo(store, places, app.url))
  } catch (error) {
    await running.disposeAsync()
    throw error
  }
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

function stopOnSignals(running: AsyncDisposableStack): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C stops at once.
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
      running.disposeAsync().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}
