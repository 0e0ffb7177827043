import { useEffect, useState } from 'preact/hooks'

/** A value that parts of the page share, with listeners for its changes. */
export interface Store<Value> {
  get(): Value
  set(value: Value): void
  /** Replaces some members of the value. */
  patch(changes: Partial<Value>): void
  subscribe(listener: (value: Value, before: Value) => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial
  const listeners = new Set<(value: Value, before: Value) => void>()
  const set = (value: Value) => {
    if (Object.is(value, current)) return
    const before = current
    current = value
    for (const listener of [...listeners]) listener(value, before)
  }
  return {
    get: () => current,
    set,
    patch: (changes) => set({ ...current, ...changes }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    setValue(store.get())
    return store.subscribe(setValue)
  }, [store])
  return value
}
