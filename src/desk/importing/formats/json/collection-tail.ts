/** Skips what follows the features of a collection, up to its closing brace. */
export class CollectionTail {
  #depth = 1
  #quoted = false
  #escaped = false

  get ended(): boolean {
    return this.#depth === 0
  }

  /** Returns the index after the tail; the text's length if the tail continues. */
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
