import type pg from 'pg'
import { StoreUnavailable, StoreUnusable } from '../../store.ts'
import { toStoreError } from './errors.ts'

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/
const WRITABLE = ['read-write', 'primary']
const IS_STANDBY = 'SELECT pg_is_in_recovery() AS standby, NULL AS timeline'
/** Each promotion starts a timeline; the name of the current log file begins with its number. */
const STANDBY_AND_TIMELINE = `
  SELECT pg_is_in_recovery() AS standby,
         CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`

/**
 * The servers of `postgres://user:password@one:5432,two:5432/feed`: one primary, and standbys that
 * may be promoted. The last one that worked is tried first; unreachable ones and standbys are
 * skipped.
 */
export class Servers {
  readonly urls: readonly string[]
  #index = 0
  #timeline = 0

  constructor(databaseUrl: string) {
    this.urls = urlsOf(databaseUrl)
  }

  get preferred(): string {
    return this.urls[this.#index]!
  }

  /** Moves to the next server, once, even if many callers report the same one. */
  skip(url: string): void {
    if (url === this.preferred) this.#index = (this.#index + 1) % this.urls.length
  }

  /**
   * Checks every new connection. A standby may lag and takes no writes; a former primary that comes
   * back after a promotion takes writes that would be lost. The timeline is read only with several
   * servers, because not every hosted server permits it.
   */
  readonly checkPrimary = async (client: pg.ClientBase): Promise<void> => {
    const sql = this.urls.length === 1 ? IS_STANDBY : STANDBY_AND_TIMELINE
    const { rows } = await client.query<{ standby: boolean; timeline: string | null }>(sql)
    const { standby, timeline } = rows[0]!
    if (standby) throw new StoreUnavailable('PostgreSQL: the server is a standby')
    const number = timeline === null ? 0 : Number.parseInt(timeline, 16)
    if (number < this.#timeline)
      throw new StoreUnavailable('PostgreSQL: the server is a former primary; another one was promoted')
    this.#timeline = number
  }

  /** Runs `attempt` with each server once, until one is available. */
  async tryEach<Result>(attempt: (url: string) => Promise<Result>): Promise<Result> {
    const failures: StoreUnavailable[] = []
    while (failures.length < this.urls.length) {
      const url = this.preferred
      try {
        return await attempt(url)
      } catch (error) {
        const known = toStoreError(error)
        if (!(known instanceof StoreUnavailable)) throw known
        failures.push(known)
        this.skip(url)
      }
    }
    if (failures.length === 1) throw failures[0]
    const messages = new Set(failures.map(({ message }) => message))
    throw new StoreUnavailable([...messages].join('; '), { cause: new AggregateError(failures) })
  }
}

/** Splits the address into one per server. */
function urlsOf(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(databaseUrl) ?? []
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  // The address may contain a password, so the message does not repeat it.
  if (!urls.every((url) => URL.canParse(url)))
    throw new StoreUnusable(
      'The address must be postgres://user:password@host:port/database, or …@host:port,host:port/…',
    )
  const wanted = new URLSearchParams(/\?(.*)$/.exec(after)?.[1]).get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted))
    throw new StoreUnusable(
      `target_session_attrs takes ${WRITABLE.join(' or ')}, not ${wanted}: the service needs to write`,
    )
  return urls
}
