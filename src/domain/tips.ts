import type { Actor } from './moderation.ts'

export const MIN_TIP_LENGTH = 10
export const MAX_TIP_LENGTH = 5000
export const MAX_CONTACT_LENGTH = 200
/** Of a place's name. */
export const MAX_PLACE_LENGTH = 200
/** A sender who has more to say sends another tip. */
export const MAX_ADDITIONS = 20

/**
 * A form or challenge can be answered for this long: on a bad line, hours pass before it is sent.
 */
export const CHALLENGE_LIFETIME_MS = 12 * 3_600_000

/** The actor in the history when a tip arrives. Whoever sent it has no account. */
export const TIP_ACTOR: Actor = { key_id: 'tip', account_id: null, name: 'A tip from the public' }

const REFERENCE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: nobody guesses the reference of another. */
const REFERENCE_LENGTH = 16
const GROUP = 4

/** A reference number such as `4F7K-…`, from the first bytes of a keyed hash. */
export function referenceFrom(hash: Uint8Array): string {
  if (hash.length < REFERENCE_LENGTH) throw new RangeError(`a hash of ${hash.length} bytes is too short`)
  const letters = Array.from(hash.subarray(0, REFERENCE_LENGTH), (byte) => REFERENCE_LETTERS[byte & 31]).join('')
  return letters.toUpperCase().replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}

/** Reads a reference as people write it: any case, O for 0, I or L for 1. Null if it is none. */
export function parseReference(text: string): string | null {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  const isReference =
    letters.length === REFERENCE_LENGTH && [...letters].every((one) => REFERENCE_LETTERS.includes(one))
  return isReference ? letters.toUpperCase().replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-') : null
}

/**
 * Several small puzzles rather than one large: the time that a phone needs then varies little
 * around its average.
 */
export const PUZZLES = 8
/** Largest number of a solution: what both sides can count to without losing digits. */
export const MAX_SOLUTION = 2 ** 32

/** The text whose SHA-256 must begin with zero bits. It fits into one block of the hash. */
export function puzzleText(seed: string, puzzle: number, solution: number): string {
  return `${seed}.${puzzle}.${solution}`
}

/** Whether the first bits of a hash are zero. */
export function beginsWithZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    if (hash[index]! >> Math.max(0, 8 - left) !== 0) return false
  }
  return true
}

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu
/** Seven digits and more, as telephone numbers are written; a date or a sum has separators too. */
const NUMBER = /\+?\d(?:[\s().-]?\d){8,14}/g

/** The text without e-mail addresses and telephone numbers: a summary is published one day. */
export function withoutContacts(text: string): string {
  return text.replaceAll(EMAIL, '[contact]').replaceAll(NUMBER, '[number]')
}
