const QUOTE = 34
const BACKSLASH = 92
const OPENING = new Set([123, 91])
const CLOSING = new Set([125, 93])
const RECORD_SEPARATOR = 30
const SEPARATORS = new Set([9, 10, 13, 32, 44, RECORD_SEPARATOR])
/** Characters that end invalid text, because a value may begin there. */
const GARBAGE_ENDS = new Set([10, 13, 44, 93, 123, RECORD_SEPARATOR])

/** Skips white space, commas and the separators of RFC 8142. */
export function skipSeparators(text: string, at: number): number {
  while (at < text.length && SEPARATORS.has(text.charCodeAt(at))) at++
  return at
}

/** Returns the index after the string at `at`; -1 if it does not end before `limit`. */
export function endOfString(text: string, at: number, limit: number): number {
  for (let index = at + 1; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) return index + 1
    if (code === BACKSLASH) index++
  }
  return -1
}

/** Returns the index after the value or invalid text at `at`; -1 if no end before `limit`. */
export function endOfValue(text: string, at: number, limit: number, final: boolean): number {
  if (text.charCodeAt(at) === QUOTE) return endOfString(text, at, limit)
  if (!OPENING.has(text.charCodeAt(at))) return endOfGarbage(text, at, limit, final)
  let depth = 0
  for (let index = at; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      const end = endOfString(text, index, limit)
      if (end === -1) return -1
      index = end - 1
    } else if (code === 123 || code === 91) depth++
    else if ((code === 125 || code === 93) && --depth === 0) return index + 1
  }
  return -1
}

function endOfGarbage(text: string, at: number, limit: number, final: boolean): number {
  for (let index = at + 1; index < limit; index++) if (GARBAGE_ENDS.has(text.charCodeAt(index))) return index
  return final ? limit : -1
}

/** The list that holds the features; the first entry begins at `at`. */
export type Head = { readonly mode: 'collection' | 'list' | 'sequence'; readonly at: number }

/** Finds the list of features in the document at `at`; null if more of the file is needed. */
export function headOf(text: string, at: number, limit: number, final: boolean): Head | null {
  if (text[at] === '[') return { mode: 'list', at: at + 1 }
  if (text[at] !== '{') return { mode: 'sequence', at }
  let depth = 0
  for (let index = at; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      const end = endOfString(text, index, limit)
      if (end === -1) break
      if (depth === 1 && text.slice(index, end) === '"features"') {
        const list = /^\s{0,64}:\s{0,64}\[/.exec(text.slice(end, end + 200))
        if (list) return { mode: 'collection', at: end + list[0].length }
        if (end + 200 > limit && !final) return null
      }
      index = end - 1
    } else if (OPENING.has(code)) depth++
    else if (CLOSING.has(code) && --depth === 0) return { mode: 'sequence', at }
  }
  return final ? { mode: 'sequence', at } : null
}
