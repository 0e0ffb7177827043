/** Numbers texts in order of arrival, so that a column needs one or two bytes per text. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.add(text)
  }

  get size(): number {
    return this.#numbers.size
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  add(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    this.#texts.push(text)
    return number
  }

  textOf(number: number): string {
    return this.#texts[number]!
  }

  numberOf(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}
