import { SOURCE_STATUSES, type SourceStatus, statusOf } from '../../domain/sources.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import { CachedReading } from '../../lib/concurrency.ts'
import type { DeskQuery, QueueDepth, Store } from '../../store/store.ts'
import { type Environment, type Phase, servicesIfReady } from '../services.ts'

/** Scrapers ask every 10 to 60 seconds: two of them share most readings. */
const MAX_AGE_MS = 5_000
/** The latencies are up to a thousand rows, and change slowly. */
const LATENCY_MAX_AGE_MS = 30_000
const LATENCY_WINDOW_MS = 24 * 3_600_000
const LATENCY_DELIVERIES = 1_000
/** Counting stops here: the cost of a scrape must not grow with the queue. */
export const MAX_COUNTED_DELIVERIES = 10_000

export interface DeskQueue {
  readonly waiting: Readonly<Record<Severity, number>>
  /** Null if none is waiting. */
  readonly oldestReportedAt: number | null
}

/** Numbers from the store, read when asked for; null while it cannot be reached. */
export interface StoreReadings {
  deliveryQueue(): Promise<QueueDepth | null>
  deskQueue(): Promise<DeskQueue | null>
  /** 0 if none was ever made. */
  lastBackupAt(): Promise<number | null>
  sources(): Promise<Readonly<Record<SourceStatus, number>> | null>
  /** In ascending order. */
  deliveryLatencies(): Promise<readonly number[] | null>
}

export function storeReadings({ clock }: Environment, currentPhase: () => Phase): StoreReadings {
  return {
    deliveryQueue: cached(MAX_AGE_MS, ({ deliveries }) => deliveries.queueDepth(MAX_COUNTED_DELIVERIES)),
    deskQueue: cached(MAX_AGE_MS, (store) => readDeskQueue(store, clock())),
    lastBackupAt: cached(MAX_AGE_MS, async ({ backups }) => (await backups.lastTakenAt()) ?? 0),
    sources: cached(MAX_AGE_MS, countSources),
    deliveryLatencies: cached(LATENCY_MAX_AGE_MS, async ({ deliveries }) => {
      const latencies = await deliveries.recentLatencies(clock() - LATENCY_WINDOW_MS, LATENCY_DELIVERIES)
      return latencies.toSorted((one, other) => one - other)
    }),
  }

  function cached<Value>(maxAgeMs: number, read: (store: Store) => Promise<Value>): () => Promise<Value | null> {
    let reading: CachedReading<Value> | null = null
    return async () => {
      const services = servicesIfReady(currentPhase())
      if (services === null) return null
      reading ??= new CachedReading(() => read(services.store), maxAgeMs)
      // A scrape or a status must not fail while the database cannot be reached.
      return reading.get().catch(() => null)
    }
  }
}

const WAITING_REPORTS: DeskQuery = {
  status: 'reported',
  order: 'oldest',
  origin: null,
  words: [],
  claimedBy: null,
  states: null,
  lgas: null,
  types: null,
  severities: null,
  minConfidence: null,
  maxConfidence: null,
  reportedFrom: null,
  reportedTo: null,
  occurredFrom: null,
  occurredTo: null,
  box: null,
}

/** Two statements: the counts are kept by the store, and the oldest report is first in an index. */
async function readDeskQueue({ desk }: Store, now: number): Promise<DeskQueue> {
  const [counts, { hits }] = await Promise.all([desk.counts(), desk.find(WAITING_REPORTS, null, 1, 1, now)])
  const waiting = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>
  for (const { status, severity, entries } of counts) if (status === 'reported') waiting[severity] += entries
  return { waiting, oldestReportedAt: hits[0]?.reportedAt ?? null }
}

async function countSources({ sources }: Store): Promise<Record<SourceStatus, number>> {
  const counts = Object.fromEntries(SOURCE_STATUSES.map((status) => [status, 0])) as Record<SourceStatus, number>
  for (const state of await sources.pollStates()) counts[statusOf(state)]++
  return counts
}
