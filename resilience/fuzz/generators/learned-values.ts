import { pick, type Random } from '../../../src/lib/random.ts'

/** So many of each kind are remembered, the last ones. */
const MOST = 300
const IDENTIFIER = /^([a-z]+)_[0-9a-z]{26}$/
/** Deeper than any answer of the service; what it gives back of a watch's filter may be deeper. */
const DEEPEST = 6

/** What the service has named in its answers: identifiers, cursors, ETags and keys, to be asked with. */
export class Known {
  readonly #spared: ReadonlySet<string>
  readonly #kinds = new Map<string, string[]>()

  /** The spared identifiers are never named: without a key left that works, nothing more would be learned. */
  constructor(spared: Iterable<string>) {
    this.#spared = new Set(spared)
  }

  one(kind: string, random: Random): string | undefined {
    const texts = this.#kinds.get(kind)
    return texts && pick(random, texts)
  }

  add(kind: string, text: string): void {
    const texts = this.#kinds.get(kind) ?? []
    if (this.#spared.has(text) || texts.includes(text)) return
    texts.push(text)
    if (texts.length > MOST) texts.shift()
    this.#kinds.set(kind, texts)
  }

  /** Of what is gone, nothing more is asked. */
  forget(target: string): void {
    for (const [text, kind] of target.matchAll(/([a-z]+)_[0-9a-z]{26}/g)) {
      const texts = this.#kinds.get(kind!) ?? []
      const at = texts.indexOf(text)
      if (at >= 0 && texts.length > 1) texts.splice(at, 1)
    }
  }

  /** Looks through an answer for things to ask for. */
  learn(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return
    for (const [name, field] of Object.entries(value).slice(0, 100)) {
      if (typeof field === 'object') this.learn(field, depth + 1)
      else if (typeof field !== 'string') continue
      else if (name === 'next_cursor' || (name === 'key' && field.startsWith('inf_'))) this.add(name, field)
      else {
        const kind = IDENTIFIER.exec(field)?.[1]
        if (kind !== undefined) this.add(kind, field)
      }
    }
  }
}
