import type { SourceStatus } from '../../domain/sources.ts'
import { CachedReading } from '../../lib/concurrency.ts'
import { type Environment, type Phase, requireServices, type Services } from '../services.ts'
import type { StoreReadings } from './store-readings.ts'

/** However many ask, the status is written once in this time. */
export const STATUS_MAX_AGE_SECONDS = 10
const DAY_MS = 24 * 3_600_000

/** As the contract declares it. Nothing in it belongs to a tenant. */
export interface ServiceStatus {
  readonly status: 'ok' | 'behind'
  readonly at: string
  readonly in_step_since: string | null
  readonly in_step_at: string
  readonly last_confirmed_at: string | null
  readonly incidents_24h: number
  readonly deliveries_24h: {
    readonly measured: number
    readonly p50_seconds: number | null
    readonly p99_seconds: number | null
  } | null
  readonly sources: Readonly<Record<SourceStatus, number>> | null
}

/** Returns the status, written at most once in `STATUS_MAX_AGE_SECONDS`. */
export type ReadStatus = () => Promise<ServiceStatus>

export function statusReader(environment: Environment, currentPhase: () => Phase, readings: StoreReadings): ReadStatus {
  const cached = new CachedReading(
    () => writeStatus(requireServices(currentPhase()), readings, environment.clock()),
    STATUS_MAX_AGE_SECONDS * 1000,
  )
  return async () => {
    // Before the services are ready there is nothing to keep.
    requireServices(currentPhase())
    return cached.get()
  }
}

async function writeStatus(services: Services, readings: StoreReadings, now: number): Promise<ServiceStatus> {
  const { archive, freshness } = services
  const [latencies, sources] = await Promise.all([readings.deliveryLatencies(), readings.sources()])
  const newest = archive.newestPublishedAt
  const { inStepSince, inStepAt } = freshness
  return {
    status: inStepSince === null ? 'behind' : 'ok',
    at: new Date(now).toISOString(),
    in_step_since: inStepSince,
    in_step_at: inStepAt,
    last_confirmed_at: newest === null ? null : new Date(newest).toISOString(),
    incidents_24h: archive.countSince(now - DAY_MS),
    deliveries_24h: latencies && {
      measured: latencies.length,
      p50_seconds: percentile(latencies, 0.5),
      p99_seconds: percentile(latencies, 0.99),
    },
    sources,
  }
}

/** By nearest rank, in seconds; null without values. */
function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null
  return sorted[Math.ceil(sorted.length * share) - 1]! / 1000
}
