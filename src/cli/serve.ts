import { start } from '../app.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { parseKey } from '../domain/key.ts'
import { places } from '../geo/places.ts'
import { startDemo } from './demo.ts'

/** Past this, what is still under way is cut off: a supervisor would do so anyway, less politely. */
const STOP_WITHIN = 10_000

export async function serveCommand(words: readonly string[]): Promise<void> {
  const config = checked(readConfig(process.env, words))
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

/** Nothing of a demo is kept, and its console belongs to what is printed for the reader. */
function demoConfig(config: Config): Config {
  return {
    ...config,
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL,
  }
}

/** What one setting alone cannot tell. */
function checked(config: Config): Config {
  if (config.SIGNUP === 'email' && config.SMTP_URL === null)
    throw new ConfigError('SIGNUP=email needs SMTP_URL, the mail server')
  if (config.OPERATOR_KEY !== null && !('kind' in parseKey(config.OPERATOR_KEY))) {
    throw new ConfigError('OPERATOR_KEY is not a well-formed key; make one with: incident-feed keys generate')
  }
  return config
}

function stopOnSignals(running: AsyncDisposableStack): void {
  let asked = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C means now.
      if (asked) process.exit(1)
      asked = true
      setTimeout(() => process.exit(1), STOP_WITHIN).unref()
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
