/**
 * Finds an ASCII text in bytes by Horspool's method, without a call out of JavaScript or a view of
 * the bytes.
 */
export class BytePattern {
  readonly #text: Uint8Array
  /** How far to go on when a byte is under the pattern's end. */
  readonly #skips: Uint8Array
  /** How far to go back when a byte is under the pattern's beginning. */
  readonly #skipsBack: Uint8Array

  /** `text` has at most 255 characters. */
  constructor(text: string) {
    this.#text = new TextEncoder().encode(text)
    const last = this.#text.length - 1
    this.#skips = new Uint8Array(256).fill(this.#text.length)
    for (let index = 0; index < last; index++) this.#skips[this.#text[index]!] = last - index
    this.#skipsBack = new Uint8Array(256).fill(this.#text.length)
    for (let index = last; index > 0; index--) this.#skipsBack[this.#text[index]!] = index
  }

  get length(): number {
    return this.#text.length
  }

  /** Returns the position after the first occurrence in `[from, end)`, or -1. */
  endIn(bytes: Uint8Array, from: number, end: number): number {
    const text = this.#text
    const skips = this.#skips
    const last = text.length - 1
    for (let at = from + last; at < end; at += skips[bytes[at]!]!) {
      let back = 0
      while (back <= last && bytes[at - back] === text[last - back]) back++
      if (back > last) return at + 1
    }
    return -1
  }

  /** Returns the position after the last occurrence in `[from, end)`, or -1. */
  endOfLastIn(bytes: Uint8Array, from: number, end: number): number {
    const text = this.#text
    const skips = this.#skipsBack
    const { length } = text
    for (let at = end - length; at >= from; at -= skips[bytes[at]!]!) {
      let index = 0
      while (index < length && bytes[at + index] === text[index]) index++
      if (index === length) return at + length
    }
    return -1
  }
}
