import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AttemptResult, Store } from '../store/store.ts'
import type { SpanContext, Tracer } from './tracer.ts'

type Method = (...values: unknown[]) => unknown

/**
 * A store that makes a span of each call within a request. Calls of the service itself are not
 * traced.
 */
export function traceStore(store: Store, tracer: Tracer, system: string): Store {
  return traced(store, '') as Store

  function traced(target: object, path: string): object {
    const parts = new Map<PropertyKey, unknown>()
    return new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof name === 'symbol') return typeof value === 'function' ? value.bind(target) : value
        // Only what a write has just changed, such as `receiptStored`, is read anew each time.
        if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
        let part = parts.get(name)
        if (part === undefined) {
          const itsPath = path === '' ? name : `${path}.${name}`
          part = typeof value === 'function' ? tracedMethod(value.bind(target), itsPath) : traced(value, itsPath)
          parts.set(name, part)
        }
        return part
      },
    })
  }

  function tracedMethod(method: Method, path: string): Method {
    // They return stores that share the transaction of one write.
    if (path.endsWith('withReceipt') || path.endsWith('withAudit'))
      return (...values) => traced(method(...values) as object, '')
    return (...values) => {
      const parent = tracer.current
      if (parent === undefined) return method(...values)
      const startedAt = tracer.now()
      const end = (failed: boolean) =>
        tracer.end(tracer.child(parent), {
          name: path,
          kind: 'client',
          startedAt,
          endedAt: tracer.now(),
          failed,
          attributes: { 'db.system.name': system, 'db.operation.name': path },
        })
      const result = method(...values)
      if (result instanceof Promise)
        result.then(
          () => end(false),
          () => end(true),
        )
      return result
    }
  }
}

/** A span for each request, named by its route: an address may hold a key or a name. */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  const open = new WeakMap<FastifyRequest, { readonly context: SpanContext; readonly startedAt: number }>()
  server.addHook('onRequest', (request, _reply, done) => {
    const context = tracer.begin(request.headers.traceparent)
    if (context === undefined) return done()
    open.set(request, { context, startedAt: tracer.now() })
    tracer.run(context, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    const span = open.get(request)
    if (span !== undefined) {
      const { method, routeOptions } = request
      const { statusCode } = reply
      const route = routeOptions.url ?? 'none'
      tracer.end(span.context, {
        name: `${method} ${route}`,
        kind: 'server',
        startedAt: span.startedAt,
        endedAt: tracer.now(),
        failed: statusCode >= 500,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': statusCode,
          'incident_feed.request_id': request.id,
        },
      })
    }
    done()
  })
}

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
