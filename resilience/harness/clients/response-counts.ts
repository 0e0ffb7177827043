import type { Check } from '../check.ts'

/** How the service has answered, as operators see it. */
export class ResponseCounts {
  readonly #counts = new Map<number, number>()
  /** Of the 503s, those that do not say when to come back. */
  #unclear = 0

  note({ status, headers }: Response): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    if (status !== 503) return
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json')
    if (!isProblem || !/^\d+$/.test(headers.get('retry-after') ?? '')) this.#unclear++
  }

  /** What cannot be done is refused so that a client knows what to do. */
  get promise(): Check {
    const otherErrors = [...this.#counts].filter(([status]) => status >= 500 && status !== 503)
    const faults = otherErrors.reduce((sum, [, count]) => sum + count, 0)
    return {
      name: 'name cannot be done is answered 503 with Retry-After, never another 5xx',
      passed: faults === 0 && this.#unclear === 0,
      observed: `${this.#counts.get(503) ?? 0} times 503, ${this.#unclear} of them unclear, ${faults} other 5xx`,
    }
  }
}
