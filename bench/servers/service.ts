/**
 * The real service on the SQLite file in the first argument. It differs from main.ts only in its
 * clock, which starts at the end of the data. A second argument is the file to log all requests to.
 */

import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import pino from 'pino'
import { openAccount } from '../../src/accounts/keys.ts'
import { DescriptorDestination } from '../../src/api/request-log.ts'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { runLiveFeed } from '../../src/demo/live-feed.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { places } from '../../src/geo/places.ts'
import { answerParent } from '../harness/child.ts'
import { clockAtEndOfData } from '../harness/data.ts'
import { TurnMeter } from '../hostile/longest-turn.ts'

const NO_LIMIT = 1_000_000_000
const NO_LIMITS = {
  RATE_LIMIT: '1000000',
  RATE_LIMIT_ADDRESS: '100000000',
  CONNECTIONS_PER_ADDRESS: '100000',
  PREVIEWS_PER_MINUTE: '1000000',
}

const clock = clockAtEndOfData()
const operatorKey = generateKey('live', randomBytes)
const [, , databaseFile, logFile] = process.argv
const logging = logFile === undefined ? {} : { LOG_REQUESTS: 'all' }
const requestLog = () => new DescriptorDestination(openSync(logFile!, 'a'))
const config = readConfig(
  {
    DATABASE_URL: `sqlite:${databaseFile}`,
    PORT: '0',
    OPERATOR_KEY: operatorKey,
    TRUST_PROXY: 'loopback',
    ...NO_LIMITS,
    ...logging,
  },
  [],
)
const app = await start(config, { clock, logger: pino({ level: 'warn' }), requestLog })
const { store } = await app.ready
const { text } = await openAccount(store, { email: null, name: 'Bench' }, { ratePerMinute: NO_LIMIT }, clock())

const turns = new TurnMeter()
let arriving = new AbortController()
answerParent(
  { url: app.url, key: text, operatorKey },
  {
    longestTurn(asked) {
      if (asked === null) turns.start()
      else turns.stop()
      return turns.take()
    },
    arrivals(wanted) {
      arriving.abort()
      if (!wanted) return null
      arriving = new AbortController()
      const onError = (error: unknown) => console.error('an arrival could not be saved:', error)
      const { save } = store.incidents
      void runLiveFeed({ places, save, signal: arriving.signal, interval: 1000, jitter: 0, now: clock, onError })
      return null
    },
  },
)
