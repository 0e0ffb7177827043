import type pg from 'pg'
import { StoreUnavailable, StoreUnusable } from '../../store.ts'
import { mapped } from './errors.ts'

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/
const WRITABLE = ['read-write', 'primary']
const IS_STANDBY = 'SELECT pg_is_in_recovery() AS standby, NULL AS timeline'
/** Each promotion begins a timeline; its number is the beginning of the name of the file that is written to. */
const WHICH_TIMELINE = `
  SELECT pg_is_in_recovery() AS standby,
         CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`

/**
 * The servers of a database: `postgres://user:password@one:5432,two:5432/feed`. One of them can be written to, the others are
 * standbys that may be promoted. The one that was there last is tried first; one that is away, or a standby, is passed over.
 */
export class Servers {
  readonly urls: readonly string[]
  #place = 0
  #timeline = 0

  constructor(databaseUrl: string) {
    this.urls = urlsOf(databaseUrl)
  }

  /** Where to look first. */
  get likely(): string {
    return this.urls[this.#place]!
  }

  /** Of many who have found the same server away, one moves on. */
  passOver(url: string): void {
    if (url === this.likely) this.#place = (this.#place + 1) % this.urls.length
  }

  /**
   * For every new connection. A standby answers, but may be behind, and takes no writes; a primary that was replaced and has come
   * back takes them, and what it took would be lost. Only where there are several is the second asked for: not everybody's
   * server tells.
   */
  readonly check = async (client: pg.ClientBase): Promise<void> => {
    const sql = this.urls.length === 1 ? IS_STANDBY : WHICH_TIMELINE
    const { rows } = await client.query<{ standby: boolean; timeline: string | null }>(sql)
    const { standby, timeline } = rows[0]!
    if (standby) throw new StoreUnavailable('PostgreSQL: the server is a standby')
    const number = timeline === null ? 0 : Number.parseInt(timeline, 16)
    if (number < this.#timeline)
      throw new StoreUnavailable('PostgreSQL: the server has been replaced by one that was promoted')
    this.#timeline = number
  }

  /** Makes the attempt at one server after the other until it is not away: each once. */
  async reach<Result>(attempt: (url: string) => Promise<Result>): Promise<Result> {
    const absences: StoreUnavailable[] = []
    while (absences.length < this.urls.length) {
      const url = this.likely
      try {
        return await attempt(url)
      } catch (error) {
        const known = mapped(error)
        if (!(known instanceof StoreUnavailable)) throw known
        absences.push(known)
        this.passOver(url)
      }
    }
    if (absences.length === 1) throw absences[0]
    const messages = new Set(absences.map(({ message }) => message))
    throw new StoreUnavailable([...messages].join('; '), { cause: new AggregateError(absences) })
  }
}

/** One address for each server; everything else is the same for all. */
function urlsOf(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(databaseUrl) ?? []
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  // The address may hold a password: it is not repeated.
  if (!urls.every((url) => URL.canParse(url)))
    throw new StoreUnusable(
      'The address must be postgres://user:password@host:port/database, or …@host:port,host:port/…',
    )
  const wanted = new URLSearchParams(/\?(.*)$/.exec(after)?.[1]).get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted))
    throw new StoreUnusable(`target_session_attrs takes ${WRITABLE.join(' or ')}, not ${wanted}: the service writes`)
  return urls
}
