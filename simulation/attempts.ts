import { ENDED_MS, Violation, type Watch } from './model.ts'
import { RETRY_AFTER_MS, type Received } from './network.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** After the first, second, … attempt that failed, as documented; earlier by a fifth at most. */
const DELAYS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
const EARLIEST = 0.8
const LATENCY_MS = 50
const BOTH_SIGN_MS = 24 * HOUR
const KNOWN_MS = 5 * SECOND

interface Attempt {
  readonly at: number
  /** The attempts that the service remembers at least: it may have lost others in a fault. */
  readonly count: number
  readonly behaviour: Received['behaviour']
}

/** The attempts of each message: not too early, not too many, signed by all that may verify. */
export class Attempts {
  readonly #last = new Map<string, Attempt>()

  /** `calmSince`: all nodes and the store have worked without fail since then. */
  check(watch: Watch, received: Received, calmSince: number): void {
    const { id, at, behaviour } = received
    this.#checkSecrets(watch, received)
    if (watch.goneAt !== null && at > watch.goneAt + ENDED_MS)
      throw new Violation(`${watch.name} was sent a message ${at - watch.goneAt} ms after its endpoint was gone`)
    const last = this.#last.get(id!)
    const isCalm = last !== undefined && Math.max(calmSince, watch.changedAt) < last.at
    this.#last.set(id!, { at, count: isCalm ? last.count + 1 : (last?.count ?? 1), behaviour })
    if (!isCalm) return
    const after = at - last.at + LATENCY_MS
    if (last.behaviour === 'answers' || last.behaviour === 'is slow')
      throw new Violation(`${watch.name} was sent a message again, ${after} ms after it had taken it`)
    const delay = DELAYS[last.count - 1]
    if (delay === undefined) throw new Violation(`${watch.name} was sent a message ${last.count + 1} times`)
    const least = Math.max(EARLIEST * delay, last.behaviour === 'is busy' ? RETRY_AFTER_MS : 0)
    if (after < least)
      throw new Violation(
        `${watch.name} was sent attempt ${last.count + 1} ${after} ms after it ${last.behaviour}; the least is ${least} ms`,
      )
  }

  /** A new secret and the one before both sign for a day; then only the new one does. */
  #checkSecrets({ name, secrets, rotated }: Watch, { at, sentAt, secrets: signing }: Received): void {
    const [newest, before] = secrets.toReversed()
    const isSigning = (secret: string | undefined) => secret !== undefined && signing.includes(secret)
    if (rotated === null ? !isSigning(newest) : !isSigning(newest) && !isSigning(before))
      throw new Violation(`${name} cannot verify a message: its secret is not among those that signed it`)
    if (rotated === null || at < rotated.answered + KNOWN_MS) return
    if (!isSigning(newest)) throw new Violation(`${name} was sent a message that its new secret does not verify`)
    // By a clock that is ahead the day is over; receivers refuse what says a time that is so wrong.
    if (sentAt < rotated.asked + BOTH_SIGN_MS - HOUR && !isSigning(before))
      throw new Violation(`${name} was sent a message that its secret of the day before does not verify`)
    if (at > rotated.answered + BOTH_SIGN_MS + HOUR && isSigning(before))
      throw new Violation(`${name} was sent a message that is signed with a secret of long ago`)
  }

  /** The log went back in time, and what was recorded since is sent again. */
  forget(): void {
    this.#last.clear()
  }
}
