import { type Key, normaliseOrigin, type Scope } from '../../domain/keys.ts'
import type { DayUsage, KeyCap, KeyRefusal, Keys, KeyUsage, Usage } from '../store.ts'
import { insertAccount, insertKey, OWNER_COLUMNS, type OwnerColumns, ownerOf } from './accounts.ts'
import { among, differing, GREATEST, insertedRows, isTrue, LEAST, plain, shared, text } from './dialect.ts'
import { lockAccount, requireOpen } from './heads.ts'
import { begin, first, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'

const DAY_MS = 86_400_000

const COLUMNS = shared(
  `keys.id, account_id AS "accountId", kind, keys.name, hash, hint, scopes, origins,
   rate_per_minute AS "ratePerMinute", keys.created_at AS "createdAt", expires_at AS "expiresAt",
   revoked_at AS "revokedAt", from_environment AS "fromEnvironment"`,
)

export interface KeyRow extends Omit<Key, 'scopes' | 'origins' | 'fromEnvironment'> {
  readonly scopes: string
  readonly origins: string
  readonly fromEnvironment: number | boolean
}

export function keyOf(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.accountId,
    kind: row.kind,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as Scope[],
    // Older rows hold origins as they were typed, which no browser sends.
    origins: (JSON.parse(row.origins) as string[]).map((origin) => normaliseOrigin(origin) ?? origin),
    ratePerMinute: row.ratePerMinute,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    fromEnvironment: Boolean(row.fromEnvironment),
  }
}

function foundKeyOf(row: KeyRow | undefined): Key | null {
  return row === undefined ? null : keyOf(row)
}

function ownedKeyOf(row: (KeyRow & OwnerColumns) | undefined) {
  return row === undefined ? null : { key: keyOf(row), account: ownerOf(row) }
}

export const keys = {
  *add(key, cap) {
    yield* begin()
    yield* lockAccount(key.accountId)
    const refusal = yield* keyRefusal(key, cap)
    if (refusal !== null) return refusal
    yield* insertKey(key)
    return true
  },

  findByHash: (hash) =>
    first(
      sql`SELECT ${COLUMNS}, ${OWNER_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id
          WHERE keys.hash = ${plain(hash)}`,
      ownedKeyOf,
    ),

  find: (id) => first(sql`SELECT ${COLUMNS} FROM keys WHERE id = ${id}`, foundKeyOf),

  *list(accountId, limit, before) {
    const found =
      accountId === null
        ? yield* rows<KeyRow>(
            sql`SELECT ${COLUMNS} FROM keys WHERE ${text(before)} IS NULL OR id < ${before}
                ORDER BY id DESC LIMIT ${plain(limit)}`,
          )
        : yield* rows<KeyRow>(
            sql`SELECT ${COLUMNS} FROM keys
                WHERE account_id = ${accountId} AND (${text(before)} IS NULL OR id < ${before})
                ORDER BY id DESC LIMIT ${plain(limit)}`,
          )
    return found.map(keyOf)
  },

  *countValid(accountId, now) {
    return (yield* countsOf(accountId, now)).valid
  },

  *change(accountId, id, patch) {
    const { name, origins } = patch
    const row = yield* first<KeyRow>(
      sql`UPDATE keys SET name = CASE WHEN ${name !== undefined} THEN ${text(name ?? null)} ELSE name END,
            origins = coalesce(${text(origins === undefined ? null : JSON.stringify(origins))}, origins)
          WHERE account_id = ${accountId} AND id = ${id}
          RETURNING ${COLUMNS}`,
    )
    return row === undefined ? null : keyOf(row)
  },

  *revoke(accountId, id, now, last = 'allow') {
    yield* begin()
    yield* lockAccount(accountId)
    if (last === 'refuse' && (yield* isLastKey(accountId, id, now))) return 'last_key'
    const row = yield* first<KeyRow>(
      sql`UPDATE keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE account_id = ${accountId} AND id = ${id}
          RETURNING ${COLUMNS}`,
    )
    return row === undefined ? null : keyOf(row)
  },

  *revokedSince(time) {
    const found = yield* rows<{ hash: string }>(
      sql`SELECT hash FROM keys WHERE revoked_at >= ${time}
          UNION ALL
          SELECT keys.hash FROM accounts JOIN keys ON keys.account_id = accounts.id
          WHERE accounts.blocked_at >= ${time}`,
    )
    return found.map(({ hash }) => hash)
  },

  *rotate(accountId, id, successor, oldExpiresAt, cap) {
    yield* begin()
    yield* lockAccount(accountId)
    const old = yield* rows(
      sql`SELECT 1 FROM keys WHERE account_id = ${accountId} AND id = ${id} AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${successor.createdAt})`,
    )
    if (old.length === 0) return 'not_valid'
    const refusal = yield* keyRefusal(successor, cap)
    if (refusal !== null) return refusal
    yield* run(
      sql`UPDATE keys SET expires_at = ${LEAST}(coalesce(expires_at, ${oldExpiresAt}), ${oldExpiresAt})
          WHERE id = ${id}`,
    )
    yield* insertKey(successor)
    return true
  },

  *setEnvironmentKey(account, key, now) {
    yield* begin()
    // Any number: nodes that start together set the key one after the other.
    yield* onPostgres(sql`SELECT pg_advisory_xact_lock(7301519)`)
    const known = yield* run(sql`UPDATE keys SET from_environment = true WHERE hash = ${key.hash}`)
    if (known === 0) {
      const predecessor = yield* first<Pick<Key, 'accountId'>>(
        sql`SELECT account_id AS "accountId" FROM keys WHERE ${FROM_ENVIRONMENT} ORDER BY created_at DESC LIMIT 1`,
      )
      if (predecessor === undefined) yield* insertAccount(account)
      yield* insertKey({ ...key, accountId: predecessor?.accountId ?? account.id })
    }
    yield* run(
      sql`UPDATE keys SET revoked_at = ${now}
          WHERE ${FROM_ENVIRONMENT} AND revoked_at IS NULL AND hash <> ${key.hash}`,
    )
  },

  *deleteDead(before, limit) {
    return yield* run(
      sql`DELETE FROM keys WHERE id IN (
            SELECT id FROM keys WHERE (revoked_at < ${before} OR expires_at < ${before})
              AND NOT EXISTS (SELECT 1 FROM steps WHERE step = 'report' AND steps.key_id = keys.id)
            LIMIT ${plain(limit)})`,
    )
  },
} satisfies QueriesOf<Keys>

const FROM_ENVIRONMENT = isTrue('from_environment')

function* countsOf(accountId: string, now: number): Query<{ valid: number; today: number }> {
  const counts = yield* first<{ valid: number; today: number }>(
    sql`SELECT count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})) AS valid,
               count(*) FILTER (WHERE created_at > ${now - DAY_MS}) AS today
        FROM keys WHERE account_id = ${accountId}`,
  )
  return counts!
}

export function* keyRefusal(key: Key, cap: KeyCap): Query<KeyRefusal | null> {
  yield* requireOpen(key.accountId)
  const { valid, today } = yield* countsOf(key.accountId, key.createdAt)
  if (valid >= cap.valid) return 'too_many'
  return today >= cap.perDay ? 'too_many_today' : null
}

/** A publishable key does not count: it cannot create another. */
function* isLastKey(accountId: string, id: string, now: number): Query<boolean> {
  const valid = yield* rows<{ id: string }>(
    sql`SELECT id FROM keys WHERE account_id = ${accountId} AND kind = 'live' AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${now}) LIMIT 2`,
  )
  return valid.length === 1 && valid[0]!.id === id
}

const COUNTS = insertedRows({ key_id: 'text', day: 'text', requests: 'bigint', last_at: 'bigint' })
const START_OF_DAY = differing(
  'unixepoch(day) * 1000',
  "(extract(epoch FROM (day || 'T00:00:00Z')::timestamptz) * 1000)::bigint",
)

export const usage = {
  *addCounts(counts) {
    // One row for each key and day, because a statement may write a row only once; ordered, to
    // prevent deadlocks.
    const added = Object.entries(Object.groupBy(counts, ({ keyId, day }) => `${keyId} ${day}`))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, of]) => {
        const { keyId, day } = of![0]!
        return [
          keyId,
          day,
          of!.reduce((sum, { requests }) => sum + requests, 0),
          Math.max(...of!.map(({ lastAt }) => lastAt)),
        ]
      })
    yield* run(
      sql`INSERT INTO usage (key_id, day, requests, last_at) ${COUNTS(added)}
          ON CONFLICT (key_id, day) DO UPDATE SET
            requests = usage.requests + excluded.requests,
            last_at = ${GREATEST}(coalesce(usage.last_at, 0), excluded.last_at)`,
    )
  },

  *deleteBefore(day, limit) {
    return yield* run(
      sql`DELETE FROM usage WHERE (key_id, day) IN (
            SELECT key_id, day FROM usage AS old
            WHERE day < ${day} AND EXISTS (SELECT 1 FROM usage WHERE key_id = old.key_id AND day > old.day)
            LIMIT ${plain(limit)})`,
    )
  },

  *countRequests(accountId, day) {
    const row = yield* first<{ requests: number }>(
      sql`SELECT CAST(coalesce(sum(usage.requests), 0) AS bigint) AS requests
          FROM (SELECT id FROM keys WHERE account_id = ${accountId} UNION ALL SELECT ${text(accountId)}) AS counted
          JOIN usage ON usage.key_id = counted.id
          WHERE usage.day = ${day}`,
    )
    return row!.requests
  },

  byDay: (accountId, fromDay) =>
    rows<DayUsage>(
      sql`SELECT usage.day, CAST(sum(usage.requests) AS bigint) AS requests
          FROM (SELECT id FROM keys WHERE account_id = ${accountId} UNION ALL SELECT ${text(accountId)}) AS counted
          JOIN usage ON usage.key_id = counted.id
          WHERE usage.day >= ${fromDay}
          GROUP BY usage.day ORDER BY usage.day`,
    ),

  byKey: (keyIds, fromDay) =>
    rows<KeyUsage>(
      sql`SELECT key_id AS "keyId",
                 CAST(coalesce(sum(requests) FILTER (WHERE day >= ${fromDay}), 0) AS bigint) AS requests,
                 max(coalesce(last_at, ${START_OF_DAY})) AS "lastUsedAt"
          FROM usage WHERE key_id ${among(keyIds)}
          GROUP BY key_id`,
    ),

  *byAccount(accountIds, fromDay) {
    return yield* rows<{ accountId: string; requests: number }>(
      sql`SELECT counted.account_id AS "accountId", CAST(sum(usage.requests) AS bigint) AS requests
          FROM (SELECT id, account_id FROM keys WHERE account_id ${among(accountIds)}
                UNION ALL SELECT id, id FROM accounts WHERE id ${among(accountIds)}) AS counted
          JOIN usage ON usage.key_id = counted.id
          WHERE usage.day >= ${fromDay}
          GROUP BY counted.account_id`,
    )
  },
} satisfies QueriesOf<Usage>
