import { type FieldError, invalidParameters, Problem } from '../domain/errors.ts'
import {
  type Chain,
  type EventLog,
  LINK_LENGTH,
  type LogEvent,
  type LogFork,
  type LogPosition,
} from '../store/store.ts'

/** A position as a client has it: opaque to it, but a plain number is one too. */
export interface Position {
  readonly text: string
  readonly seq: number
  /** The beginning of the event's link; empty if not given. */
  readonly hash: string
  /** The last fork before the position was given; empty if there was none. */
  readonly fork: string
}

/** Of the hash of a link: nobody gains anything from finding another event with the same. */
const SHOWN_LENGTH = 11
const PATTERN = /^(\d{1,15})(?:\.([\w-]{11})(?:\.([\w-]{6}))?)?$/

export function positionText({ seq, link = '' }: Pick<LogEvent, 'seq' | 'link'>): string {
  return seq === 0 || link === '' ? String(seq) : `${seq}.${link.slice(0, SHOWN_LENGTH)}${link.slice(LINK_LENGTH)}`
}

/** Null if this service has not written the text. */
export function parsePosition(text: string): Position | null {
  const [, seq, hash = '', fork = ''] = PATTERN.exec(text) ?? []
  return seq === undefined ? null : { text, seq: Number(seq), hash, fork }
}

export const POSITION_MESSAGE = 'must be a position that this service has given, such as 8123.Xk3yR0pWc9A, or 0'

export function requirePosition(text: string, parameter: string): Position {
  const position = parsePosition(text)
  if (position === null) throw invalidParameters([{ parameter, message: POSITION_MESSAGE }])
  return position
}

interface PositionParts {
  readonly chain: Pick<Chain, 'forks'>
  readonly log: Pick<EventLog, 'head' | 'linkOf'>
  readonly recent: { linkOf(seq: number): string | null }
  /** The end of what this node has. */
  readonly head: () => LogPosition
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
  readonly onError: (error: unknown) => void
}

/** Other nodes may have noted a fork. Whoever has lost events knows all of them by then. */
const FORKS_KEPT_MS = 5_000

/** Tells which positions can be continued from: the log has their event, or may get it. */
export class Positions {
  readonly #parts: PositionParts
  #forks: readonly LogFork[]
  #readAt: number
  #reading: Promise<void> | null = null

  private constructor(parts: PositionParts, forks: readonly LogFork[]) {
    this.#parts = parts
    this.#forks = forks
    this.#readAt = parts.elapsed()
  }

  static async open(parts: PositionParts): Promise<Positions> {
    return new Positions(parts, await parts.chain.forks())
  }

  /** Throws 410 if what followed the position was lost, and 400 if the log was never there. */
  async require(position: Position, parameter: string): Promise<number> {
    const { seq, hash } = position
    if (seq === 0) return 0
    const { head, log, recent } = this.#parts
    if (hash !== '') {
      const link = recent.linkOf(seq) ?? (await log.linkOf(seq))
      // Without a link it was given before a restore, by a build of chains, of a backup of none.
      if (link !== null && (link === '' || link.startsWith(hash))) return seq
      await this.#readForks()
      throw this.#lost(position, await this.#resumeAfter(position))
    }
    if (this.#parts.elapsed() - this.#readAt > FORKS_KEPT_MS) await this.#readForks()
    const lost = this.#lossOf(seq)
    if (lost !== undefined) throw this.#lost(position, await this.#textOf(lost.afterSeq))
    // Another node may be ahead.
    if (seq > head().seq && seq > (await log.head()).seq) throw beyond(parameter, head().seq)
    return seq
  }

  /** As `require` for what is not continued in the log: a list that was begun there. */
  async requireNoFork(position: Position): Promise<void> {
    const isLost = position.hash === '' ? this.#lossOf(position.seq) !== undefined : await this.isBehindFork(position)
    if (isLost) throw this.#lost(position, null)
  }

  /** Whether the log went on elsewhere, before that event, since the position was given. */
  async isBehindFork(position: Pick<Position, 'seq' | 'fork'>): Promise<boolean> {
    const { elapsed, onError } = this.#parts
    const { fork } = position
    if (fork !== '' && !this.#forks.some(({ id }) => id === fork)) {
      // It may have been noted since the forks were read; without the store nobody can tell.
      const isRead = await this.#readForks().then(() => true, onError)
      if (!isRead) return false
    } else if (elapsed() - this.#readAt > FORKS_KEPT_MS) this.#readForks().catch(onError)
    return this.#forksBehind(position).some(({ afterSeq }) => afterSeq < position.seq)
  }

  /** The latest position that is surely in what the client has and in the log. */
  #resumeAfter(position: Position): Promise<string> {
    const ends = this.#forksBehind(position).map(({ afterSeq }) => afterSeq)
    return this.#textOf(Math.min(...ends.filter((seq) => seq < position.seq)))
  }

  /** The fork after which an event with that number was lost, as far as known. */
  #lossOf(seq: number): LogFork | undefined {
    return this.#forks.find(({ afterSeq, seenSeq }) => afterSeq < seq && seq <= (seenSeq ?? 0))
  }

  /** The forks that were made after the position was given. */
  #forksBehind({ fork }: Pick<Position, 'fork'>): readonly LogFork[] {
    const known = this.#forks.findIndex(({ id }) => id === fork)
    return this.#forks.slice(known + 1).filter(({ id }) => id !== '')
  }

  async #textOf(seq: number): Promise<string> {
    // No fork is known: somebody has put another database in the place.
    if (seq === Number.POSITIVE_INFINITY) return '0'
    return positionText({ seq, link: (await this.#parts.log.linkOf(seq)) ?? '' })
  }

  #lost({ text }: Position, resumeAfter: string | null): Problem {
    const advice =
      resumeAfter === null
        ? 'Begin the list again.'
        : `Continue from ${resumeAfter}, up to which your copy is right; read again what has changed in it since, or rebuild it from 0.`
    return new Problem(
      'position_lost',
      `The service was put back to an earlier state, or its database has lost its latest writes: ${text} is not in its log any more. ${advice}`,
      resumeAfter === null ? {} : { members: { resume_after: resumeAfter } },
    )
  }

  #readForks(): Promise<void> {
    this.#reading ??= this.#parts.chain
      .forks()
      .then((forks) => {
        this.#forks = forks
        this.#readAt = this.#parts.elapsed()
      })
      .finally(() => {
        this.#reading = null
      })
    return this.#reading
  }
}

function beyond(parameter: string, head: number): Problem {
  const message = `is beyond the newest change, which is ${head}; this service has not issued this position`
  return invalidParameters([{ parameter, message } satisfies FieldError])
}
