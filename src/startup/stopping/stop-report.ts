import type { Logger } from 'pino'

const REPORT_INTERVAL_MS = 1000

/** What is under way while the service stops. */
export interface UnderWay {
  /** Requests without a response yet, streams aside. */
  readonly requests: number
  readonly streams: number
  readonly deliveries: number
}

/** Logs what a stop waits for: at once, and every second until it is disposed of. */
export function reportStop(underWay: () => UnderWay, logger: Logger): Disposable {
  const report = () => logger.info(`stopping: ${stopSentence(underWay())}`)
  report()
  const timer = setInterval(report, REPORT_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
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
