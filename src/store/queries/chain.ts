import { hash } from 'node:crypto'
import { pooledRandomBytes, randomBytes } from '../../lib/runtime.ts'
import { type Chain, LINK_LENGTH, type LogFork, type LogHead, type SealState } from '../store.ts'
import { bigint, differing, eachRow, FOR_UPDATE, GREATEST, plain, shared } from './dialect.ts'
import { begin, first, only, type QueriesOf, type Query, rows, run, sql } from './query.ts'

// The log is a chain. The seal of an event is a salt and the hash of its document; a redaction
// takes the document and the salt, without which nobody can guess what was taken. The link of an
// event is the hash of the link before, of its own columns and of the hash in its seal: two logs
// with one link have the same events before it. Behind a fork all links end with its id.

const SALT_BYTES = 8
/** Of the salt as text. */
const SALT_LENGTH = 11
const FORK_ID_BYTES = 4
const FORK_ID_LENGTH = 6

/** More than a store counts between two backups, far below 2^53. */
const SKIPPED_MESSAGES = 10_000_000
const SKIPPED_REVISIONS = 1_000_000

/** Null for an import, whose document is the incident's: that changes. */
export function sealOf(document: string | null): string {
  if (document === null) return ''
  const salt = Buffer.from(pooledRandomBytes(SALT_BYTES)).toString('base64url')
  return salt + hashOf(salt + document)
}

/** `SET seal = ${WITHOUT_SALT}`: the hash stays, which the link was made of. */
export const WITHOUT_SALT = differing(`substr(seal, -${LINK_LENGTH})`, `right(seal, ${LINK_LENGTH})`)

function stateOfSeal(seal: string, document: string | null, isRedacted: boolean): SealState {
  if (document === null || seal === '') return document === null && seal === '' ? 'intact' : 'changed'
  if (seal.length === LINK_LENGTH) return isRedacted ? 'redacted' : 'changed'
  const salt = seal.slice(0, SALT_LENGTH)
  return seal === salt + hashOf(salt + document) ? 'intact' : 'changed'
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, LINK_LENGTH)
}

interface SealedEvent {
  readonly seq: number
  readonly kind: string
  readonly at: number
  readonly incidentId: string
  readonly seal: string
}

function linkOf(before: string, { seq, kind, at, incidentId, seal }: SealedEvent): string {
  return (
    hashOf(`${before}\n${seq}\n${kind}\n${at}\n${incidentId}\n${seal.slice(-LINK_LENGTH)}`) + before.slice(LINK_LENGTH)
  )
}

function linkAtFork(link: string, id: string): string {
  return `${link.slice(0, LINK_LENGTH).padEnd(LINK_LENGTH, '-')}.${id}`
}

export interface ChainHead extends LogHead {
  /** The last event that has a link, which `link` is. */
  readonly linkedSeq: number
}

/** The links of events behind the head; null while older events have none yet. */
export function linksAfter(head: ChainHead, events: readonly SealedEvent[]): string[] | null {
  if (head.linkedSeq !== head.seq) return null
  let { link } = head
  return events.map((event) => {
    link = linkOf(link, event)
    return link
  })
}

/** The link of the log's last event; none while older events have none. */
export const HEAD_LINK = shared("CASE WHEN linked_seq = seq THEN link ELSE '' END AS link")

/** A promoted standby, a restored server and a copied database are on another branch. */
const BRANCH = differing("''", 'log_branch()')
/** The timeline, after which the same server was promoted or restored. */
const TIMELINE = /-[^-]*$/

/**
 * Locked until the transaction ends: later events get their numbers and links once this is visible.
 * Notes a fork if the database goes on elsewhere than where the last event was written.
 */
export function* lockedChainHead(now: number): Query<ChainHead> {
  const { branch, current, ...head } = yield* only<ChainHead & { branch: string | null; current: string }>(
    sql`SELECT seq, at, link, linked_seq AS "linkedSeq", branch, ${BRANCH} AS current FROM log_head ${FOR_UPDATE}`,
  )
  if (branch === current) return head
  yield* run(sql`UPDATE log_head SET branch = ${current}`)
  if (branch === null) return head
  // Another database of the same server, or one that came from SQLite: a copy of some earlier time.
  const isCopy = branch !== '' && current !== '' && branch.replace(TIMELINE, '') !== current.replace(TIMELINE, '')
  if (isCopy) yield* skipMessages(now)
  return yield* addFork(head, null, now)
}

/** The log goes on after its head, with links that nobody has seen. */
function* addFork(head: ChainHead, seenSeq: number | null, now: number, afterSeq = head.seq): Query<ChainHead> {
  const id = randomBytes(FORK_ID_BYTES).toString('base64url').slice(0, FORK_ID_LENGTH)
  yield* run(
    sql`INSERT INTO log_forks (number, id, after_seq, head_seq, seen_seq, at)
        SELECT coalesce(max(number), 0) + 1, ${id}, ${bigint(afterSeq)}, ${bigint(head.seq)}, ${bigint(seenSeq)},
               ${bigint(now)} FROM log_forks`,
  )
  yield* skipRevisions()
  // Otherwise the links get there later: see `linkMore`.
  if (head.linkedSeq !== head.seq) return head
  const link = linkAtFork(head.link, id)
  yield* run(sql`UPDATE log_head SET link = ${link}`)
  return { ...head, link }
}

/** Other processes may have seen later revisions: they read everything again. */
function* skipRevisions(): Query<void> {
  yield* run(
    sql`UPDATE watch_head SET revision = revision + ${bigint(SKIPPED_REVISIONS)},
                              pruned_revision = revision + ${bigint(SKIPPED_REVISIONS)}`,
  )
  yield* run(sql`UPDATE desk_head SET revision = revision + ${bigint(SKIPPED_REVISIONS)}`)
  yield* run(sql`UPDATE gazetteer_head SET revision = revision + ${bigint(SKIPPED_REVISIONS)}`)
}

/**
 * Receivers may have had messages with the next numbers, also after an earlier restore of the same
 * backup.
 */
function* skipMessages(now: number): Query<void> {
  yield* run(
    sql`UPDATE watch_progress SET sequence = ${GREATEST}(sequence + ${bigint(SKIPPED_MESSAGES)}, ${bigint(now)})`,
  )
}

const LINKED = eachRow('next', { seq: 'bigint', link: 'text', seal: 'text' })

interface ChainRow {
  readonly seq: number
  readonly kind: string
  readonly at: number
  readonly incidentId: string
  readonly document: string | null
  readonly link: string | null
  readonly seal: string | null
  /** 0 or 1 in SQLite. */
  readonly isRedacted: boolean | number
}

function chainAfter(seq: number, limit: number): Query<ChainRow[]> {
  return rows<ChainRow>(
    sql`SELECT seq, kind, at, incident_id AS "incidentId", document, link, seal,
               EXISTS (SELECT 1 FROM redacted_incidents
                       WHERE redacted_incidents.incident_id = events.incident_id) AS "isRedacted"
        FROM events WHERE seq > ${seq} ORDER BY seq LIMIT ${plain(limit)}`,
  )
}

function allForks(): Query<LogFork[]> {
  return rows(
    sql`SELECT id, after_seq AS "afterSeq", head_seq AS "headSeq", seen_seq AS "seenSeq", at
        FROM log_forks ORDER BY number`,
  )
}

/** The link of the event `seq`, as the next event, which is `next`, is linked to it. */
function linkBehind(link: string, forks: readonly LogFork[], seq: number, next = Number.POSITIVE_INFINITY): string {
  const between = forks.filter(({ id, headSeq }) => id !== '' && headSeq >= seq && headSeq < next)
  return between.reduce((before, { id }) => linkAtFork(before, id), link)
}

export const chain = {
  *linkMore(limit, now) {
    yield* begin()
    const due = yield* rows(sql`SELECT 1 FROM log_head WHERE linked_seq < seq`)
    if (due.length === 0) return 0
    const head = yield* lockedChainHead(now)
    const forks = yield* allForks()
    let { link, linkedSeq } = head
    const linked: (string | number)[][] = []
    for (const row of yield* chainAfter(linkedSeq, limit)) {
      const seal = row.seal ?? sealOf(row.document)
      link = linkOf(linkBehind(link, forks, linkedSeq, row.seq), { ...row, seal })
      linkedSeq = row.seq
      linked.push([row.seq, link, seal])
    }
    yield* run(
      sql`UPDATE events SET link = ${LINKED.link}, seal = ${LINKED.seal} ${LINKED.from(linked)}
          WHERE events.seq = ${LINKED.seq}`,
    )
    // Numbers at the end may have been left out.
    const isDone = linked.length < limit
    if (isDone) {
      link = linkBehind(link, forks, linkedSeq)
      linkedSeq = head.seq
    }
    yield* run(sql`UPDATE log_head SET link = ${link}, linked_seq = ${linkedSeq}`)
    return isDone ? 0 : linked.length
  },

  *verify({ seq, link }, limit) {
    yield* begin('sqlite')
    const forks = yield* allForks()
    let before = link
    let beforeSeq = seq
    return (yield* chainAfter(seq, limit)).map((row) => {
      const seal = row.seal ?? ''
      const expected = linkOf(linkBehind(before, forks, beforeSeq, row.seq), { ...row, seal })
      before = row.link ?? ''
      beforeSeq = row.seq
      return {
        seq: row.seq,
        link: before,
        isLinked: before === expected,
        seal: stateOfSeal(seal, row.document, Boolean(row.isRedacted)),
      }
    })
  },

  forks: () => allForks(),

  *fork(seenSeq, now) {
    yield* begin('long')
    const head = yield* lockedChainHead(now)
    yield* skipMessages(now)
    const { seq, at, link } = yield* addFork(head, seenSeq, now)
    return { seq, at, link }
  },

  *recordLoss(commonSeq, { seq: seenSeq, link }, now) {
    yield* begin()
    const head = yield* lockedChainHead(now)
    const last = yield* first<Pick<LogFork, 'id' | 'afterSeq' | 'seenSeq'> & { readonly number: number }>(
      sql`SELECT number, id, after_seq AS "afterSeq", seen_seq AS "seenSeq"
          FROM log_forks ORDER BY number DESC LIMIT 1`,
    )
    // The fork in the node's own link is of an earlier loss.
    const isKnown = last === undefined || last.id === link.slice(LINK_LENGTH + 1)
    if (!isKnown && last.afterSeq >= (commonSeq ?? 0) && last.afterSeq < seenSeq) {
      if (last.seenSeq === null) yield* skipMessages(now)
      yield* run(
        sql`UPDATE log_forks SET seen_seq = ${GREATEST}(coalesce(seen_seq, 0), ${bigint(seenSeq)})
            WHERE number = ${last.number}`,
      )
    } else {
      yield* skipMessages(now)
      // With an end that is not known, no position behind it must seem to be right.
      if (commonSeq === null) yield* skipRevisions()
      else yield* addFork(head, seenSeq, now, commonSeq)
    }
  },
} satisfies QueriesOf<Chain>

/** Whether a restore by a build before chains has left the number out: the log can end there. */
export function* isLeftOut(seq: number): Query<boolean> {
  const found = yield* rows(
    sql`SELECT 1 FROM log_forks WHERE id = '' AND after_seq < ${bigint(seq)} AND seen_seq >= ${bigint(seq)}`,
  )
  return found.length > 0
}
