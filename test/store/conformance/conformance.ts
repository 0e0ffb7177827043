import { describe } from 'node:test'
import type { EmptyDatabase } from '../databases.ts'
import { accountDeletionConforms, accountsConform } from './accounts.ts'
import { areasConform, gazetteerConforms, siteListsConform } from './areas.ts'
import { auditConforms, auditedWritesConform } from './audit.ts'
import { clockConforms } from './clock.ts'
import { deliveriesConform, pausingConforms, schedulesConform } from './deliveries.ts'
import { deliveryLogConforms } from './delivery-log.ts'
import { claimsConform, pairsConform, queueConforms } from './desk.ts'
import { chainConforms, eventsConform, redactionsConform, snapshotsConform } from './events.ts'
import { fanOutConforms, listeningConforms } from './fan-out.ts'
import { idempotencyConforms, receiptsConform } from './idempotency.ts'
import { closingConforms, importsConform, incidentsConform, moderationConforms, racesConform } from './incidents.ts'
import { keysConform, mailsConform, signupsConform, usageConforms } from './keys.ts'
import { attemptsConform, leasesConform, ownersConform } from './lease.ts'
import { sameRecipientConforms, truthConforms } from './same-recipient.ts'
import { addressesConform, passkeysConform, sessionsConform, signInLinksConform } from './sign-in.ts'
import { itemsConform, publishersConform, sourcesConform, tipsConform } from './sources.ts'
import { alertsConform, pushConforms, watchesConform } from './watches.ts'

const SUITES = [
  clockConforms,
  incidentsConform,
  eventsConform,
  chainConforms,
  snapshotsConform,
  sourcesConform,
  itemsConform,
  racesConform,
  moderationConforms,
  redactionsConform,
  queueConforms,
  claimsConform,
  pairsConform,
  auditConforms,
  tipsConform,
  publishersConform,
  gazetteerConforms,
  importsConform,
  accountsConform,
  accountDeletionConforms,
  keysConform,
  signupsConform,
  mailsConform,
  usageConforms,
  sessionsConform,
  addressesConform,
  signInLinksConform,
  passkeysConform,
  idempotencyConforms,
  receiptsConform,
  auditedWritesConform,
  areasConform,
  siteListsConform,
  watchesConform,
  alertsConform,
  fanOutConforms,
  leasesConform,
  attemptsConform,
  pushConforms,
  ownersConform,
  deliveriesConform,
  deliveryLogConforms,
  listeningConforms,
  pausingConforms,
  schedulesConform,
  sameRecipientConforms,
  truthConforms,
  closingConforms,
]

/** Tests every promise of the store's interfaces with one kind of database. */
export function conformance(name: string, newDatabase: () => Promise<EmptyDatabase>): void {
  // Each test has its own database, and mostly waits for it.
  describe(name, { timeout: 300_000, concurrency: 4 }, () => {
    for (const addTests of SUITES) addTests(newDatabase)
  })
}
