import type { AttemptResult } from '../store/store.ts'
import type { Tracer } from './tracer.ts'

/**
 * A trace of one span for each attempt to deliver; it names neither the receiver nor the incident.
 */
export function traceDelivery(tracer: Tracer, { deliveryId, at, duration, outcome, statusCode }: AttemptResult): void {
  const context = tracer.begin()
  if (context === undefined || outcome === 'cancelled') return
  tracer.end(context, {
    name: 'deliver webhook',
    kind: 'client',
    startedAt: at,
    endedAt: at + duration,
    failed: outcome !== 'delivered',
    attributes: {
      'incident_feed.channel': 'webhook',
      'incident_feed.outcome': outcome,
      'incident_feed.delivery_id': deliveryId,
      ...(statusCode === null ? {} : { 'http.response.status_code': statusCode }),
    },
  })
}
