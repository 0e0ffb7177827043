import fc from 'fast-check'

/** The newest values of each kind are kept. */
const MAX_VALUES_PER_KIND = 300
const IDENTIFIER = /^([a-z]+)_[0-9a-z]{26}$/
/** Exceeds the depth of any response, except for a watch's filter, which may be deeper. */
const MAX_DEPTH = 6
const MAX_INDEX = 2 ** 30

/** Identifiers, cursors, ETags and keys from earlier responses, for use in later requests. */
export class LearnedValues {
  readonly #excluded: ReadonlySet<string>
  readonly #byKind = new Map<string, string[]>()

  /**
   * Excluded identifiers are never used: a request that revokes the fuzzer's keys would end the
   * learning.
   */
  constructor(excluded: Iterable<string>) {
    this.#excluded = new Set(excluded)
  }

  /** Generates one of the values learned by then, or `fallback` if there are none. */
  oneOf(kind: string, fallback: fc.Arbitrary<string>): fc.Arbitrary<string> {
    return fc.tuple(fc.nat(MAX_INDEX), fallback).map(([index, otherwise]) => this.valueAt(kind, index) ?? otherwise)
  }

  /** Any index is valid: it wraps around. */
  valueAt(kind: string, index: number): string | undefined {
    const values = this.#byKind.get(kind)
    return values?.[index % values.length]
  }

  addValue(kind: string, value: string): void {
    const values = this.#byKind.get(kind) ?? []
    if (this.#excluded.has(value) || values.includes(value)) return
    values.push(value)
    if (values.length > MAX_VALUES_PER_KIND) values.shift()
    this.#byKind.set(kind, values)
  }

  /**
   * Removes the identifiers in a request target whose resource is gone; keeps the last of each
   * kind.
   */
  removeIdentifiersIn(target: string): void {
    for (const [identifier, kind] of target.matchAll(/([a-z]+)_[0-9a-z]{26}/g)) {
      const values = this.#byKind.get(kind!) ?? []
      const at = values.indexOf(identifier)
      if (at >= 0 && values.length > 1) values.splice(at, 1)
    }
  }

  /** Adds the identifiers, cursors and keys of a JSON response. */
  learnFrom(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const [name, field] of Object.entries(value).slice(0, 100)) {
      if (typeof field === 'object') this.learnFrom(field, depth + 1)
      else if (typeof field !== 'string') continue
      else if (name === 'next_cursor' || (name === 'key' && field.startsWith('inf_'))) this.addValue(name, field)
      else {
        const kind = IDENTIFIER.exec(field)?.[1]
        if (kind !== undefined) this.addValue(kind, field)
      }
    }
  }
}
