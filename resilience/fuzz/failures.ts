import type { FuzzRequest } from './generators/requests.ts'

const LONGEST_SHOWN = 2000

/** What went wrong, each kind once with the request that showed it first, and how often. */
export class Faults {
  readonly #kinds = new Map<string, { readonly example: string; count: number }>()

  get count(): number {
    return this.#kinds.values().reduce((sum, { count }) => sum + count, 0)
  }

  add(where: string, what: string, example: string): void {
    const kind = `${where}: ${what}`
    const known = this.#kinds.get(kind)
    if (known) known.count++
    else this.#kinds.set(kind, { example, count: 1 })
  }

  toString(): string {
    return [...this.#kinds]
      .toSorted(([, one], [, other]) => other.count - one.count)
      .map(([kind, { example, count }]) => `${count} × ${kind}\n${example}\n`)
      .join('\n')
  }
}

/** The request as it went over the wire, for whoever wants to send it again. */
export function written({ number, method, target, headers, body }: FuzzRequest): string {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const shown = body === null ? [] : ['', body.toString().slice(0, LONGEST_SHOWN)]
  return [
    `  (request ${number})`,
    ...[...lines, ...shown].map((line) => `  ${JSON.stringify(line).slice(1, -1)}`),
  ].join('\n')
}
