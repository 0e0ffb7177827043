import { withoutBoilerplate } from './boilerplate.ts'
import { truncateText } from './truncate.ts'

export const MAX_SUMMARY_LENGTH = 400

/** Begins every synthetic summary, so that nobody mistakes one for a real incident. */
export const SYNTHETIC_PREFIX = '[Synthetic] '

/** Characters processed: ten times what can remain, so that a whole book costs little. */
const MAX_INPUT_LENGTH = 4000
const SPACE = /[\s\u0085]+/g
/** Control, format (zero width, direction) and invisible characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const LOOSE_END = /[\s,;:|/\\•·–—-]+$/
const FINAL_STOP = /[.!?…。۔؟]["'”’»)\]]*$/

/**
 * Returns one line of plain text without boilerplate, at most 400 characters, with a final stop;
 * empty without a letter or digit. Markup stays: it is shown as text everywhere.
 */
export function normalizeSummary(text: string): string {
  // Truncating can move boilerplate to the end, so this repeats until nothing changes. It
  // terminates: each round after the first removes more than the stop that it adds.
  for (let before = text; ; ) {
    const after = withFinalStop(truncateText(withoutBoilerplate(singleLine(before)), MAX_SUMMARY_LENGTH))
    if (after === before) return after
    before = after
  }
}

/** Puts the text on one line, in NFC, without invisible characters; markup stays. */
export function singleLine(text: string): string {
  const visible = text.replace(SPACE, ' ').replace(INVISIBLE, '').replace(SPACE, ' ').trim()
  return visible.slice(0, MAX_INPUT_LENGTH).replace(INVISIBLE, '').normalize('NFC').trim()
}

function withFinalStop(text: string): string {
  if (!LETTER_OR_DIGIT.test(text)) return ''
  return FINAL_STOP.test(text) ? text : `${text.replace(LOOSE_END, '')}.`
}
