/** The real service with an empty database, for many streams with one key. */
import pino from 'pino'
import { openAccount } from '../../src/accounts/keys.ts'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { places } from '../../src/geo/places.ts'
import { answerParent } from '../harness/child.ts'
import { FROM, UNTIL } from '../harness/data.ts'

const ANY_NUMBER = '1000000'

const environment = {
  DATABASE_URL: 'sqlite::memory:',
  PORT: '0',
  STREAMS: ANY_NUMBER,
  STREAMS_PER_ACCOUNT: ANY_NUMBER,
  CONNECTIONS: ANY_NUMBER,
  CONNECTIONS_PER_ADDRESS: ANY_NUMBER,
}
const app = await start(readConfig({ ...environment, RATE_LIMIT: '100000000' }, []), {
  logger: pino({ level: 'warn' }),
})
const { store } = await app.ready
const { text: key } = await openAccount(store, { email: null, name: 'Bench' }, {}, Date.now())
const incidents = syntheticIncidents({ places, seed: 5, count: 1000, from: FROM, until: UNTIL })[Symbol.iterator]()

answerParent(
  { url: app.url, key },
  {
    async publish() {
      const at = Date.now()
      await store.incidents.save([{ incident: incidents.next().value!, event: 'incident.created' }], at)
      return { at }
    },
  },
)
