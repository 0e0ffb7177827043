import { openAccount } from '../../../src/accounts/keys.ts'
import { openStore } from '../../../src/store/open.ts'
import { Client } from '../../harness/clients/client.ts'

const CONCURRENCY = 20
const RATE_PER_MINUTE = 1_000_000_000

/** Opens accounts directly in the database: signing up is limited, and is not what is tested. */
export async function openAccounts(
  databaseUrl: string,
  count: number,
  serviceUrl: () => string | null,
): Promise<Client[]> {
  await using store = await openStore(databaseUrl)
  const clients: Client[] = []
  await concurrently(count, async (number) => {
    const request = { ratePerMinute: RATE_PER_MINUTE, scopes: ['read', 'watch'] as const }
    const { text } = await openAccount(store, { email: null, name: `Account ${number}` }, request, Date.now())
    clients.push(new Client(text, serviceUrl))
  })
  return clients
}

/** Creates watches that match every incident, over the accounts in turn. Returns the statuses. */
export async function createWatches(
  clients: readonly Client[],
  urls: readonly string[],
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>()
  await concurrently(urls.length, async (number) => {
    const watch = { name: `Watch ${number}`, filter: {}, url: urls[number]! }
    const { status } = await clients[number % clients.length]!.requestUntilAnswered('POST', '/v1/watches', watch)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  return statuses
}

async function concurrently(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(count, CONCURRENCY) }, loop))
}
