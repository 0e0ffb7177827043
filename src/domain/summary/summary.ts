import { withoutBoilerplate } from './boilerplate.ts'
import { truncateText } from './truncate.ts'

export const MAX_SUMMARY_LENGTH = 400

/** Begins the summary of every synthetic incident, so that nobody can mistake one for a real incident. */
export const SYNTHETIC_PREFIX = '[Synthetic] '

/** As far as a text is looked at: many times what can be left of it, so that a whole book costs little. */
const LONGEST_LOOK = 4000
const SPACE = /[\s\u0085]+/g
/** Control, format (zero width, text direction) and other invisible characters, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const SAYS_SOMETHING = /[\p{L}\p{N}]/u
const LOOSE_END = /[\s,;:|/\\•·–—-]+$/
const STOPPED = /[.!?…。۔؟]["'”’»)\]]*$/

/**
 * One line of plain text: without what the outlet put around it, at most 400 characters, with a final stop. Markup
 * stays as it was written: it is text, here and wherever it is shown. Empty when nothing is said.
 */
export function normalizeSummary(text: string): string {
  // A cut can lay bare what the outlet had put in the middle, so it goes round until nothing changes. Each round
  // after the first takes away more than the stop that it adds.
  for (let before = text; ; ) {
    const after = stopped(truncateText(withoutBoilerplate(singleLine(before)), MAX_SUMMARY_LENGTH))
    if (after === before) return after
    before = after
  }
}

/** Text on one line, in NFC, without what cannot be seen; what it says, markup too, stays. */
export function singleLine(text: string): string {
  const seen = text.replace(SPACE, ' ').replace(UNSEEN, '').replace(SPACE, ' ').trim()
  return seen.slice(0, LONGEST_LOOK).replace(UNSEEN, '').normalize('NFC').trim()
}

function stopped(text: string): string {
  if (!SAYS_SOMETHING.test(text)) return ''
  return STOPPED.test(text) ? text : `${text.replace(LOOSE_END, '')}.`
}
