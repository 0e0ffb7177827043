import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SpanContext, Tracer } from './tracer.ts'

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
