/**
 * The real service on a new SQLite file, with watches. Arguments: the file, then as JSON the URLs
 * of the endpoints, the number of watches that match every published incident and the number that
 * do not. Its clock is the real one, because latencies are measured across processes.
 */

import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { openAccount } from '../../src/accounts/keys.ts'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'
import { countryOf } from '../../src/demo/country.ts'
import { syntheticIncident } from '../../src/demo/synthetic-incident.ts'
import { newIdentifier } from '../../src/domain/identifier.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { answerParent } from '../harness/child.ts'

const [file, words] = process.argv.slice(2) as [string, string]
const { urls, matching, others, incidents } = JSON.parse(words) as {
  urls: string[]
  matching: number
  others: number
  incidents: number
}
const NO_LIMIT = 1_000_000_000
const LOTS = '10000000'

const environment = {
  DATABASE_URL: `sqlite:${file}`,
  PORT: '0',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WATCHES_PER_ACCOUNT: LOTS,
}
const app = await start(readConfig(environment, []), { logger: pino({ level: 'warn' }) })
const { store, archive } = await app.ready
const scopes = ['read', 'watch', 'operate'] as const
const holder = await openAccount(store, { email: null, name: 'Bench' }, { ratePerMinute: NO_LIMIT, scopes }, Date.now())

const random = seededRandom(7)
const ground = countryOf(places)
const history = Array.from({ length: incidents }, (_, index) =>
  syntheticIncident(ground, Date.now() - (incidents - index) * 60_000, random),
)
for (let from = 0; from < history.length; from += 1000) {
  const changes = history
    .slice(from, from + 1000)
    .map((incident) => ({ incident, event: 'incident.imported' as const }))
  await store.incidents.save(changes, Date.now())
}
while (archive.size < incidents) await new Promise((resolve) => setTimeout(resolve, 20))

const adding: Promise<unknown>[] = []
for (let number = 0; number < matching + others; number++) {
  // Matching watches have no condition; the others combine conditions that no incident satisfies.
  const lga = places.lgas[number % places.lgas.length]!
  const filter =
    number < matching ? {} : { lga: [lga.code], type: ['piracy'], min_confidence: (9800 + (number % 100)) / 1e4 }
  const text = JSON.stringify(filter)
  const now = Date.now()
  adding.push(
    store.watches.add(
      {
        id: newIdentifier('watch', now, randomBytes),
        accountId: holder.key.accountId,
        name: `Watch ${number}`,
        channel: 'webhook',
        url: urls[number % urls.length]!,
        description: null,
        filter: { given: text, canonical: text },
        events: ['incident.created'],
        status: 'active',
        disabledReason: null,
        secrets: [{ secret: newSecret(randomBytes), expiresAt: null }],
        headers: [],
        schedule: null,
        createdAt: now,
        updatedAt: now,
      },
      NO_LIMIT,
    ),
  )
}
await Promise.all(adding)

answerParent(
  { url: app.url, key: holder.text },
  {
    /** One transaction with one event per incident. */
    async publishMany(count) {
      const changes = Array.from({ length: count }, () => ({
        incident: syntheticIncident(ground, Date.now(), random),
        event: 'incident.created' as const,
      }))
      await store.incidents.save(changes, Date.now())
      return null
    },
    async pending() {
      const { waiting, leased } = await store.deliveries.queueDepth(10_000)
      return waiting + leased
    },
  },
)
