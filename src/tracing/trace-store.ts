import type { Store } from '../store/store.ts'
import type { Tracer } from './tracer.ts'

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
