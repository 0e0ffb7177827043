import { describe } from 'node:test'
import type { EmptyDatabase } from '../empty-database.ts'
import { accountDeletionConforms } from './accounts/account-deletion.ts'
import { accountsConform } from './accounts/accounts.ts'
import { auditedWritesConform } from './accounts/audited-writes.ts'
import { idempotencyConforms } from './accounts/idempotency.ts'
import { keysConform } from './accounts/keys.ts'
import { mailsConform } from './accounts/mails.ts'
import { receiptsConform } from './accounts/receipts.ts'
import { signupsConform } from './accounts/signups.ts'
import { usageConforms } from './accounts/usage.ts'
import { areasConform } from './areas/areas.ts'
import { siteListsConform } from './areas/site-lists.ts'
import { closingConforms } from './closing.ts'
import { alertsConform } from './deliveries/alerts.ts'
import { deliveriesConform } from './deliveries/deliveries.ts'
import { deliveryLogConforms } from './deliveries/delivery-log.ts'
import { fanOutConforms } from './deliveries/fan-out.ts'
import { leasesConform } from './deliveries/lease.ts'
import { listeningConforms } from './deliveries/listening.ts'
import { ownersConform } from './deliveries/owners.ts'
import { pausingConforms } from './deliveries/pausing.ts'
import { pushConforms } from './deliveries/push.ts'
import { attemptsConform } from './deliveries/record-attempts.ts'
import { schedulesConform } from './deliveries/schedules.ts'
import { togetherConforms } from './deliveries/together.ts'
import { truthConforms } from './deliveries/truth.ts'
import { watchesConform } from './deliveries/watches.ts'
import { auditConforms } from './desk/audit.ts'
import { claimsConform } from './desk/claims.ts'
import { pairsConform } from './desk/pairs.ts'
import { queueConforms } from './desk/queue.ts'
import { gazetteerConforms } from './gazetteer/gazetteer.ts'
import { eventsConform } from './incidents/events.ts'
import { importsConform } from './incidents/imports.ts'
import { incidentsConform } from './incidents/incidents.ts'
import { moderationConforms } from './incidents/moderation.ts'
import { publishersConform } from './incidents/publishers.ts'
import { redactionsConform } from './incidents/redactions.ts'
import { snapshotsConform } from './incidents/snapshot.ts'
import { racesConform } from './races.ts'
import { passkeysConform } from './sign-in/passkeys.ts'
import { sessionsConform } from './sign-in/sessions.ts'
import { signInLinksConform } from './sign-in/sign-in-links.ts'
import { itemsConform } from './sources/items.ts'
import { sourcesConform } from './sources/sources.ts'
import { tipsConform } from './tips/tips.ts'

/** Tests every promise of the store's interfaces with one kind of database. */
export function conformance(name: string, newDatabase: () => Promise<EmptyDatabase>): void {
  // Each test has its own database, and mostly waits for it.
  describe(name, { timeout: 300_000, concurrency: 4 }, () => {
    incidentsConform(newDatabase)
    eventsConform(newDatabase)
    snapshotsConform(newDatabase)
    sourcesConform(newDatabase)
    itemsConform(newDatabase)
    racesConform(newDatabase)
    moderationConforms(newDatabase)
    redactionsConform(newDatabase)
    queueConforms(newDatabase)
    claimsConform(newDatabase)
    pairsConform(newDatabase)
    auditConforms(newDatabase)
    tipsConform(newDatabase)
    publishersConform(newDatabase)
    gazetteerConforms(newDatabase)
    importsConform(newDatabase)
    accountsConform(newDatabase)
    accountDeletionConforms(newDatabase)
    keysConform(newDatabase)
    signupsConform(newDatabase)
    mailsConform(newDatabase)
    usageConforms(newDatabase)
    sessionsConform(newDatabase)
    signInLinksConform(newDatabase)
    passkeysConform(newDatabase)
    idempotencyConforms(newDatabase)
    receiptsConform(newDatabase)
    auditedWritesConform(newDatabase)
    areasConform(newDatabase)
    siteListsConform(newDatabase)
    watchesConform(newDatabase)
    alertsConform(newDatabase)
    fanOutConforms(newDatabase)
    leasesConform(newDatabase)
    attemptsConform(newDatabase)
    pushConforms(newDatabase)
    ownersConform(newDatabase)
    deliveriesConform(newDatabase)
    deliveryLogConforms(newDatabase)
    listeningConforms(newDatabase)
    pausingConforms(newDatabase)
    schedulesConform(newDatabase)
    togetherConforms(newDatabase)
    truthConforms(newDatabase)
    closingConforms(newDatabase)
  })
}
