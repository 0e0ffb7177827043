import type { Check } from '../../harness/check.ts'

const MAX_EXAMPLES = 3

/** A check that is made in every round and passes if it found no problem in any of them. */
export class RepeatedCheck {
  readonly #name: string
  readonly #examples: string[] = []
  #passed = 0
  #rounds = 0

  constructor(name: string) {
    this.#name = name
  }

  record(problems: readonly string[]): void {
    this.#rounds++
    if (problems.length === 0) this.#passed++
    this.#examples.push(...problems.slice(0, MAX_EXAMPLES - this.#examples.length))
  }

  result(): Check {
    return {
      name: this.#name,
      passed: this.#rounds > 0 && this.#passed === this.#rounds,
      observed: [`${this.#passed} of ${this.#rounds}`, ...this.#examples].join('; '),
    }
  }
}
