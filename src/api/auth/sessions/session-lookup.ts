import type { FastifyBaseLogger } from 'fastify'
import type { KeyHolder } from '../../../accounts/keys/key-cache.ts'
import { type Session, sessionAsKey } from '../../../domain/accounts.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import type { Keys, Sessions } from '../../../store/store.ts'

/** A session's last use is written at most so often. */
const RECORD_INTERVAL_MS = 60_000
const MAX_REMEMBERED = 10_000

/** The sessions as the key cache reads keys. */
export function sessionsAsKeys(sessions: Sessions): Pick<Keys, 'findByHash'> {
  return {
    async findByHash(hash: string): Promise<KeyHolder | null> {
      const found = await sessions.findByHash(hash)
      if (found === null) return null
      const { session, account, key } = found
      return { key: sessionAsKey(session, account, key), account, session, openedWith: key }
    },
  }
}

/** Writes when sessions were last used, without letting requests wait for it. */
export class SessionUse {
  readonly #recorded = new BoundedCache<string, number>(MAX_REMEMBERED)

  record(session: Session, now: number, sessions: Sessions, log: FastifyBaseLogger): void {
    const before = Math.max(session.seenAt, this.#recorded.get(session.id) ?? 0)
    if (now - before < RECORD_INTERVAL_MS) return
    this.#recorded.set(session.id, now)
    sessions
      .recordUse(session.id, now)
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of a session could not be stored'))
  }
}
