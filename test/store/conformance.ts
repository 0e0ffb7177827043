import { describe } from 'node:test'
import { accountsConform } from './conformance/accounts.ts'
import { attemptsConform } from './conformance/attempts.ts'
import { closingConforms } from './conformance/closing.ts'
import { deliveriesConform } from './conformance/deliveries.ts'
import { deskConforms } from './conformance/desk.ts'
import { eventsConform } from './conformance/events.ts'
import { fanOutConforms } from './conformance/fan-out.ts'
import { idempotencyConforms } from './conformance/idempotency.ts'
import { incidentsConform } from './conformance/incidents.ts'
import { keysConform } from './conformance/keys.ts'
import { leasesConform } from './conformance/leases.ts'
import { ownersConform } from './conformance/owners.ts'
import { racesConform } from './conformance/races.ts'
import { signupsConform } from './conformance/signups.ts'
import { snapshotsConform } from './conformance/snapshots.ts'
import { usageConforms } from './conformance/usage.ts'
import { watchesConform } from './conformance/watches.ts'
import type { Home } from './home.ts'

/** Every promise in `store.ts`, held against one kind of store. */
export function conformance(name: string, newHome: () => Promise<Home>): void {
  // Each test has a database of its own, and most of its time goes in waiting for it.
  describe(name, { timeout: 120_000, concurrency: 4 }, () => {
    incidentsConform(newHome)
    eventsConform(newHome)
    snapshotsConform(newHome)
    racesConform(newHome)
    deskConforms(newHome)
    accountsConform(newHome)
    keysConform(newHome)
    signupsConform(newHome)
    usageConforms(newHome)
    idempotencyConforms(newHome)
    watchesConform(newHome)
    fanOutConforms(newHome)
    leasesConform(newHome)
    attemptsConform(newHome)
    ownersConform(newHome)
    deliveriesConform(newHome)
    closingConforms(newHome)
  })
}
