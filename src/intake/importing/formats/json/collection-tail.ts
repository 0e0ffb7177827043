/** What follows the features within their collection: other members, up to the brace that closes it. */
export class CollectionTail {
  #depth = 1
  #quoted = false
  #escaped = false

  get ended(): boolean {
    return this.#depth === 0
  }

  /** Past as much of the tail as there is. */
  skip(text: string, from: number): number {
    for (let index = from; index < text.length; index++) {
      this.#see(text[index]!)
      if (this.ended) return index + 1
    }
    return text.length
  }

  #see(character: string): void {
    if (this.#escaped) this.#escaped = false
    else if (this.#quoted && character === '\\') this.#escaped = true
    else if (character === '"') this.#quoted = !this.#quoted
    else if (this.#quoted) return
    else if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') this.#depth--
  }
}
