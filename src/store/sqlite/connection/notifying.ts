import type { Listeners } from './listen.ts'

/** Polls the change counters after a write, which notifies the listeners. */
export function notifying<Values extends unknown[], Result>(
  listeners: Listeners,
  call: (...values: Values) => Promise<Result>,
) {
  return async (...values: Values): Promise<Result> => {
    const result = await call(...values)
    listeners.poll()
    return result
  }
}
