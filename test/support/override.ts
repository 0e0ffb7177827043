import type { Store } from '../../src/store/store.ts'

/** Replaces methods of a part of an open store, for a failure at an exact moment. */
export function override<Part extends keyof Store>(store: Store, part: Part, methods: Partial<Store[Part]>): void {
  const original = store[part] as object
  const get = (_: object, name: string) => Reflect.get(methods as object, name) ?? Reflect.get(original, name)
  Object.assign(store, { [part]: new Proxy({}, { get }) })
}
