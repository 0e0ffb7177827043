import type { FuzzRequest } from './generators/requests.ts'

const MAX_BODY_SHOWN = 2000

/** Counts failures by kind, with one example request of each kind. */
export class Failures {
  readonly #kinds = new Map<string, { example: string; count: number }>()

  get count(): number {
    return this.#kinds.values().reduce((sum, { count }) => sum + count, 0)
  }

  /** Returns true for the first failure of its kind. */
  countFailure(kind: string): boolean {
    const known = this.#kinds.get(kind)
    if (known) known.count++
    else this.#kinds.set(kind, { example: '', count: 1 })
    return known === undefined
  }

  setExample(kind: string, example: string): void {
    this.#kinds.get(kind)!.example ||= example
  }

  toString(): string {
    return [...this.#kinds]
      .toSorted(([, one], [, other]) => other.count - one.count)
      .map(([kind, { example, count }]) => `${count} × ${kind}\n${example}\n`)
      .join('\n')
  }
}

/** Formats the request as it was sent, so that it can be sent again by hand. */
export function formatRequest({ method, target, headers, body }: FuzzRequest): string {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const shown = body === null ? [] : ['', body.toString().slice(0, MAX_BODY_SHOWN)]
  return [...lines, ...shown].map((line) => `  ${JSON.stringify(line).slice(1, -1)}`).join('\n')
}
