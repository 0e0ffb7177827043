import { randomBytes } from 'node:crypto'
import { openAccount } from '../../../src/accounts/keys.ts'
import { newSecret } from '../../../src/deliveries/send/signature.ts'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import { places } from '../../../src/geo/places.ts'
import { openStore } from '../../../src/store/open.ts'

const NO_LIMIT = 1_000_000_000
const AT_A_TIME = 100

export interface StoredWatches {
  /** Watches that match every incident. */
  readonly matching: number
  /** Watches with filters that no incident satisfies. */
  readonly others: number
  readonly url: string
}

/** Adds watches of one account directly to the store; a service encrypts their secrets. */
export async function addWatches(databaseUrl: string, { matching, others, url }: StoredWatches): Promise<void> {
  await using store = await openStore(databaseUrl)
  const request = { ratePerMinute: NO_LIMIT, scopes: ['read', 'watch'] as const }
  const { key } = await openAccount(store, { email: null, name: 'Holder' }, request, Date.now())
  const add = async (number: number) => {
    const lga = places.lgas[number % places.lgas.length]!
    const filter =
      number < matching ? {} : { lga: [lga.code], type: ['piracy'], min_confidence: (9800 + (number % 100)) / 1e4 }
    const text = JSON.stringify(filter)
    const now = Date.now()
    await store.watches.add(
      {
        id: newIdentifier('watch', now, randomBytes),
        accountId: key.accountId,
        name: `Watch ${number}`,
        channel: 'webhook',
        url,
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
    )
  }
  for (let from = 0; from < matching + others; from += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, matching + others - from)
    await Promise.all(Array.from({ length: count }, (_, index) => add(from + index)))
  }
}
