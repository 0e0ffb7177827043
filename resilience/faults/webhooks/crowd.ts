import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { generateKey } from '../../../src/domain/keys.ts'
import { Client } from '../../harness/clients/client.ts'
import { onEachStore, onEmptyDatabase } from '../../harness/databases.ts'
import { Service } from '../../harness/service.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { createWatches, openAccounts } from '../fairness/accounts.ts'
import { HealthyEndpoints } from '../fairness/healthy-accounts.ts'
import { Desk } from './desk.ts'

/**
 * More watches than one transaction of the fan-out writes first. Several accounts, because only so
 * many watches of one account are among the first.
 */
const ACCOUNTS = 5
const WATCHES = 500
/** The first makes the service know that the endpoints answer. */
const QUICK_INCIDENTS = 3
/** Longer than anything but a lost delivery takes on a busy machine. */
const MAX_SILENCE_MS = 15_000
const POLL_MS = 20

/** Publishes incidents that match hundreds of watches at once; every watch must receive each. */
export async function notifyCrowd(setup: string, databaseUrl: string, incidents: number): Promise<ScenarioResult> {
  await using endpoints = await HealthyEndpoints.listen()
  const key = generateKey('live', randomBytes)
  const settings = { DATABASE_URL: databaseUrl, OPERATOR_KEY: key, RATE_LIMIT: '100000', WEBHOOK_ALLOW_PRIVATE: 'true' }
  await using service = new Service(settings)
  await waitFor(() => service.url !== null, 'the service')
  const accounts = await openAccounts(databaseUrl, ACCOUNTS, () => service.url)
  const urls = Array.from({ length: WATCHES }, (_, number) => `http://127.0.0.1:${endpoints.port}/healthy/${number}`)
  const statuses = await createWatches(accounts, urls)
  if (statuses.get(201) !== WATCHES) throw new Error(`creating watches got ${JSON.stringify([...statuses])}`)
  const desk = new Desk(new Client(key, () => service.url))
  const ids: string[] = []
  for (let number = 0; number < incidents; number++) {
    ids.push(await desk.publish())
    await arrivalsOf(endpoints, ids.length * WATCHES)
  }
  service.check()
  const received = endpoints.arrivals.map(({ path, incidentId }) => `${path} ${incidentId}`)
  const expected = new Set(ids.flatMap((id) => urls.map((url) => `${new URL(url).pathname} ${id}`)))
  const missing = expected.difference(new Set(received)).size
  const others = received.length - (expected.size - missing)
  const check = {
    name: 'every watch receives every incident once, and nothing else',
    passed: missing === 0 && others === 0,
    observed: `${incidents} incidents for ${WATCHES} watches: ${received.length} messages, ${missing} missing, ${others} too many`,
  }
  return { setup, times: incidents, counts: null, checks: [check] }
}

/** Waits until this many messages have arrived, or none has for a while. */
async function arrivalsOf({ arrivals }: HealthyEndpoints, expected: number): Promise<void> {
  let seen = -1
  while (arrivals.length < expected && arrivals.length > seen) {
    seen = arrivals.length
    const deadline = performance.now() + MAX_SILENCE_MS
    while (arrivals.length === seen && performance.now() < deadline) await wait(POLL_MS)
  }
}

export const crowd: Scenario = {
  description: 'incidents that match hundreds of watches at once',
  rounds: 20,
  quick: () => onEmptyDatabase('sqlite', async (url) => [await notifyCrowd('SQLite', url, QUICK_INCIDENTS)]),
  run: (incidents) => onEachStore((setup, url) => notifyCrowd(setup, url, incidents)),
}
