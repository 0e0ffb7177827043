import type { Check } from '../check.ts'

/** Counts the responses that the operators received, by status. */
export class ResponseCounts {
  readonly #byStatus = new Map<number, number>()
  /** 503 responses that are no problem document or have no valid `Retry-After`. */
  #malformed503 = 0

  countResponse({ status, headers }: Response): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
    if (status !== 503) return
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json')
    if (!isProblem || !/^\d+$/.test(headers.get('retry-after') ?? '')) this.#malformed503++
  }

  get check(): Check {
    const otherErrors = [...this.#byStatus].filter(([status]) => status >= 500 && status !== 503)
    const others = otherErrors.reduce((sum, [, count]) => sum + count, 0)
    return {
      name: 'a request that fails is answered 503 with Retry-After, never another 5xx',
      passed: others === 0 && this.#malformed503 === 0,
      observed: `${this.#byStatus.get(503) ?? 0} times 503, ${this.#malformed503} of them malformed, ${others} other 5xx`,
    }
  }
}
