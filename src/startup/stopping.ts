import type { Logger } from 'pino'
import { machine, nextTurn, type Runtime, sleep, within } from '../lib/runtime.ts'
import type { HttpService } from './http-service.ts'

export interface StopTimeouts {
  /** Time for running requests; then their connections are closed. */
  readonly requestsMs: number
  /** Time for a start that is under way, for deliveries in flight, and for giving leases back. */
  readonly webhooksMs: number
  /** Time for everything else: usage counts, the read model, the database. */
  readonly restMs: number
}

/** Requests and webhooks stop at the same time, so that a stop takes at most 8.5 s. */
export const STOP_TIMEOUTS: StopTimeouts = { requestsMs: 5000, webhooksMs: 6000, restMs: 2500 }
const CLOSE_INTERVAL_MS = 100

interface StopParts {
  readonly runtime: Runtime
  readonly logger: Logger
}

/** Waits for `work`, but not longer: a database that hangs must not keep the process alive. */
export async function waitAtMost(
  ms: number,
  what: string,
  work: Promise<unknown>,
  { runtime, logger }: StopParts,
): Promise<void> {
  try {
    await within(runtime, ms, work, () =>
      logger.warn(`stopping: ${what} did not end within ${ms / 1000} s, going on without`),
    )
  } catch (error) {
    logger.warn({ err: error }, `stopping: ${what} failed`)
  }
}

/**
 * HAProxy takes a node out after three checks that failed, two seconds apart. As long as requests
 * come, it has not done so.
 */
const LATE_BALANCER_MS = 3000
const UNUSED_MS = 1000

/** Serves for `ms`, and a little longer while requests still come. */
export async function drainServers(
  http: HttpService,
  ms: number,
  signal: AbortSignal,
  { runtime, logger }: StopParts,
): Promise<void> {
  http.drain()
  logger.info(`stopping: serving for ${ms / 1000} s more, while load balancers find another node`)
  // Nothing but the signal rejects it, and that only ends the wait.
  const wait = (time: number) => sleep(runtime, time, signal).catch(() => {})
  await wait(ms)
  const latest = machine.elapsed() + Math.min(ms, LATE_BALANCER_MS)
  const isUsed = () => machine.elapsed() < Math.min(latest, http.usedAt() + UNUSED_MS)
  while (!signal.aborted && isUsed()) await wait(CLOSE_INTERVAL_MS)
}

/** Stops accepting, lets running requests end, and closes what is open after `graceMs`. */
export async function closeServers(http: HttpService, graceMs: number, { runtime, logger }: StopParts): Promise<void> {
  let isOver = false
  const timer = runtime.setTimeout(() => {
    isOver = true
    logger.warn({ open: http.openConnections() }, 'stopping: closing connections that are still busy')
    http.closeAllConnections()
  }, graceMs)
  // Again and again: a connection becomes idle after its answer, and may be accepted at the last
  // moment.
  const closing = runtime.setInterval(() => {
    if (isOver) http.closeAllConnections()
    else http.closeIdleConnections()
  }, CLOSE_INTERVAL_MS)
  try {
    // Connections that wait to be accepted are accepted first: closing would reset them.
    await nextTurn()
    // In this order: a stream that ends now must not come back to this node.
    const ended = http.stopListening()
    await Promise.all(http.servers.map((server) => server.close()))
    await ended
  } finally {
    runtime.clear(timer)
    runtime.clear(closing)
  }
}

const REPORT_INTERVAL_MS = 1000

/** The work under way while the service stops. */
export interface UnderWay {
  /** Requests without a response yet, streams aside. */
  readonly requests: number
  readonly streams: number
  readonly deliveries: number
}

/** Logs what a stop waits for: at once, and every second until it is disposed of. */
export function reportStop(underWay: () => UnderWay, { runtime, logger }: StopParts): Disposable {
  const report = () => logger.info(`stopping: ${stopSentence(underWay())}`)
  report()
  const timer = runtime.setInterval(report, REPORT_INTERVAL_MS)
  return { [Symbol.dispose]: () => runtime.clear(timer) }
}

/** Such as `waiting for 1 request and 3 deliveries`. */
export function stopSentence({ requests, streams, deliveries }: UnderWay): string {
  const parts = [
    counted(requests, 'request'),
    counted(deliveries, 'delivery', 'deliveries'),
    counted(streams, 'stream'),
  ]
  const named = parts.filter((part) => part !== null)
  if (named.length === 0) return 'nothing is under way'
  const last = named.pop()!
  return `waiting for ${named.length === 0 ? last : `${named.join(', ')} and ${last}`}`
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`
}
