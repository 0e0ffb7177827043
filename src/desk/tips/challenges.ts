import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import {
  beginsWithZeroBits,
  CHALLENGE_LIFETIME_MS,
  MAX_SOLUTION,
  PUZZLES,
  puzzleText,
  referenceFrom,
} from '../../domain/tips.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { TipSubmission } from '../../store/store.ts'

const SEED_BYTES = 16
const SIGNATURE_BYTES = 16
const SECRET_BYTES = 32
const CHALLENGE = /^([0-9a-z]{1,10})\.(\d{1,2})\.([\w-]{22})\.([\w-]{22})$/
/** Another node's clock may be ahead. */
const CLOCK_SKEW_MS = 60_000

/** A sender answers it by a form or by a request. */
export interface Challenge {
  readonly text: string
  readonly seed: string
  readonly bits: number
  readonly issuedAt: number
}

export function newTipSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/**
 * Challenges are signed and not stored, so that issuing one costs no write; those that were used
 * are. All nodes have the same secret.
 */
export class TipChallenges {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  issue(bits: number, now: number): Challenge {
    const seed = randomBytes(SEED_BYTES).toString('base64url')
    const signed = `${now.toString(36)}.${bits}.${seed}`
    return { text: `${signed}.${this.#sign(signed)}`, seed, bits, issuedAt: now }
  }

  /** Null for what this service did not issue. */
  read(text: string, now: number): Challenge | 'expired' | null {
    const [, issued, bits, seed, signature] = CHALLENGE.exec(text) ?? []
    if (issued === undefined || bits === undefined || seed === undefined || signature === undefined) return null
    const expected = this.#sign(`${issued}.${bits}.${seed}`)
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
    const issuedAt = Number.parseInt(issued, 36)
    if (now - issuedAt > CHALLENGE_LIFETIME_MS || issuedAt - now > CLOCK_SKEW_MS) return 'expired'
    return { text, seed, bits: Number(bits), issuedAt }
  }

  /**
   * The same for every sending of one form: a repetition shows it again. Nobody else can know it.
   */
  referenceFor({ seed }: Challenge): string {
    return referenceFrom(this.#keyedHash(`reference ${seed}`))
  }

  /** The content is kept as a keyed hash: a contact could be guessed from a plain one. */
  submissionOf({ seed }: Challenge, content: unknown): TipSubmission {
    return {
      challengeHash: hash('sha256', seed),
      fingerprint: this.#keyedHash(`content ${JSON.stringify(content)}`).toString('base64url'),
    }
  }

  #sign(text: string): string {
    return this.#keyedHash(`challenge ${text}`).subarray(0, SIGNATURE_BYTES).toString('base64url')
  }

  #keyedHash(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest()
  }
}

/** Whether the work was done: every puzzle has its number. */
export function isSolved({ seed, bits }: Challenge, solutions: readonly number[]): boolean {
  return (
    solutions.length === PUZZLES &&
    solutions.every(
      (solution, puzzle) =>
        Number.isInteger(solution) &&
        solution >= 0 &&
        solution < MAX_SOLUTION &&
        beginsWithZeroBits(hash('sha256', puzzleText(seed, puzzle, solution), 'buffer'), bits),
    )
  )
}

export function referenceHashOf(reference: string): string {
  return hash('sha256', `tip ${reference}`)
}
