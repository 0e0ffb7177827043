import type { State } from '../../domain/places.ts'
import { nameDistance, type SoundedName, sounded } from './similar-names.ts'

interface Known {
  /** Of places that have the key. */
  count: number
  /** Worked out when it is first compared: most are never. */
  name: SoundedName | null
}

const MAX_LENGTH_DIFFERENCE = 3

/** Keys by state and first letter: a search compares only those. */
export class SimilarKeys {
  readonly #byState = new Map<string, Map<string, Known>>()
  readonly #states = new Set<string>()

  add(key: string, state: State): void {
    const bucket = state.code + key.slice(0, 1)
    this.#states.add(state.code)
    const keys = this.#byState.get(bucket) ?? new Map<string, Known>()
    this.#byState.set(bucket, keys)
    const known = keys.get(key)
    if (known) known.count++
    else keys.set(key, { count: 1, name: null })
  }

  remove(key: string, state: State): void {
    const keys = this.#byState.get(state.code + key.slice(0, 1))!
    const known = keys.get(key)!
    if (--known.count === 0) keys.delete(key)
  }

  /** The keys of these states that are most similar, and equally so; of all states where null. */
  mostSimilar(key: string, states: ReadonlySet<State> | null): Set<string> {
    let least = Infinity
    let found = new Set<string>()
    const name = sounded(key)
    for (const code of states === null ? this.#states : Array.from(states, (state) => state.code)) {
      for (const [other, known] of this.#byState.get(code + key.slice(0, 1)) ?? []) {
        if (Math.abs(other.length - key.length) > MAX_LENGTH_DIFFERENCE) continue
        known.name ??= sounded(other)
        const distance = nameDistance(name, known.name)
        if (distance === null || distance > least) continue
        if (distance < least) found = new Set()
        least = distance
        found.add(other)
      }
    }
    return found
  }
}
