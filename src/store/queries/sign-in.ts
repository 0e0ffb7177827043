import type { Passkey, Session } from '../../domain/accounts.ts'
import type { Scope } from '../../domain/keys.ts'
import type {
  Challenges,
  LinkTarget,
  Passkeys,
  Sessions,
  SignInLinks,
  Signup,
  Signups,
  StoredSession,
} from '../store.ts'
import {
  checkProof,
  insertKey,
  lockAddress,
  OWNER_COLUMNS,
  type OwnerColumns,
  ownerOf,
  recordProof,
} from './accounts.ts'
import { amongRows, differing, FOR_UPDATE, FOR_UPDATE_SKIP_LOCKED, GREATEST, plain, shared, text } from './dialect.ts'
import { lockAccount, requireOpen } from './heads.ts'
import { keyRefusal } from './keys.ts'
import { begin, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'

/** A session with its account, and with its key if it has one. */
const STORED_SESSION = shared(
  `sessions.id, sessions.account_id AS "accountId", sessions.method, sessions.key_id AS "keyId",
   sessions.passkey_id AS "passkeyId", sessions.hash, sessions.user_agent AS "userAgent",
   sessions.created_at AS "createdAt", sessions.seen_at AS "seenAt", sessions.expires_at AS "expiresAt",
   sessions.ended_at AS "endedAt",
   keys.id AS found_key, keys.name AS key_name, keys.scopes AS key_scopes, keys.created_at AS key_created_at,
   keys.expires_at AS key_expires_at, keys.revoked_at AS key_revoked_at`,
)

interface KeyColumns {
  readonly found_key: string | null
  readonly key_name: string | null
  readonly key_scopes: string
  readonly key_created_at: number
  readonly key_expires_at: number | null
  readonly key_revoked_at: number | null
}

type StoredSessionRow = Session & KeyColumns & OwnerColumns

function storedSessionOf(row: StoredSessionRow): StoredSession {
  const session = {
    id: row.id,
    accountId: row.accountId,
    method: row.method,
    keyId: row.keyId,
    passkeyId: row.passkeyId,
    hash: row.hash,
    userAgent: row.userAgent,
    createdAt: row.createdAt,
    seenAt: row.seenAt,
    expiresAt: row.expiresAt,
    endedAt: row.endedAt,
  }
  // The rest of a live key says nothing about its session.
  const key =
    row.found_key === null
      ? null
      : {
          id: row.found_key,
          accountId: row.accountId,
          kind: 'live' as const,
          name: row.key_name,
          hash: '',
          hint: '',
          scopes: JSON.parse(row.key_scopes) as Scope[],
          origins: [],
          ratePerMinute: null,
          createdAt: row.key_created_at,
          expiresAt: row.key_expires_at,
          revokedAt: row.key_revoked_at,
          fromEnvironment: false,
        }
  return { session, account: ownerOf(row), key }
}

export const sessions = {
  *open(session, max) {
    yield* begin()
    yield* openSession(session, max)
  },

  *findByHash(hash) {
    const row = yield* first<StoredSessionRow>(
      sql`SELECT ${STORED_SESSION}, ${OWNER_COLUMNS}
          FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
          WHERE sessions.hash = ${plain(hash)}`,
    )
    return row === undefined ? null : storedSessionOf(row)
  },

  *list(accountId, now, seenAfter) {
    const found = yield* rows<StoredSessionRow>(
      sql`SELECT ${STORED_SESSION}, ${OWNER_COLUMNS}
          FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
          WHERE sessions.account_id = ${plain(accountId)} AND ended_at IS NULL
            AND sessions.expires_at > ${now} AND seen_at > ${seenAfter}
          ORDER BY seen_at DESC, sessions.id DESC`,
    )
    return found.map(storedSessionOf)
  },

  *recordUse(id, now) {
    yield* run(sql`UPDATE sessions SET seen_at = ${now} WHERE id = ${id} AND seen_at < ${now}`)
  },

  *end(accountId, id, now) {
    const ended = yield* first<{ hash: string }>(
      sql`UPDATE sessions SET ended_at = coalesce(ended_at, ${now}) WHERE account_id = ${accountId} AND id = ${id}
          RETURNING hash`,
    )
    return ended ?? null
  },

  *endAll(accountId, now, kept) {
    const ended = yield* rows<{ hash: string }>(
      sql`UPDATE sessions SET ended_at = ${now}
          WHERE account_id = ${accountId} AND ended_at IS NULL AND (${text(kept)} IS NULL OR id <> ${kept})
          RETURNING hash`,
    )
    return ended.map(({ hash }) => hash)
  },

  *endedSince(time) {
    const ended = yield* rows<{ hash: string }>(
      sql`SELECT hash FROM sessions WHERE ended_at >= ${time}
          UNION
          SELECT sessions.hash FROM sessions JOIN keys ON keys.id = sessions.key_id WHERE keys.revoked_at >= ${time}
          UNION
          SELECT sessions.hash FROM accounts JOIN sessions ON sessions.account_id = accounts.id
          WHERE accounts.blocked_at >= ${time}`,
    )
    return ended.map(({ hash }) => hash)
  },

  *deleteExpired(before, limit) {
    return yield* run(
      sql`DELETE FROM sessions WHERE id ${amongRows(
        sql`SELECT id FROM sessions WHERE expires_at < ${before} OR ended_at < ${before}
            LIMIT ${plain(limit)} ${FOR_UPDATE_SKIP_LOCKED}`,
      )}`,
    )
  },
} satisfies QueriesOf<Sessions>

const WITHOUT_LIMIT = differing('LIMIT -1', '')

/** Runs within the caller's transaction. The account is locked: concurrent sign-ins are counted. */
function* openSession(session: Session, max: number): Query<void> {
  const { id, accountId, method, keyId, passkeyId, hash, userAgent, createdAt } = session
  yield* lockAccount(accountId)
  yield* requireOpen(accountId)
  yield* run(
    sql`UPDATE sessions SET ended_at = ${createdAt} WHERE id ${amongRows(
      sql`SELECT id FROM sessions WHERE account_id = ${accountId} AND ended_at IS NULL AND expires_at > ${createdAt}
          ORDER BY seen_at DESC ${WITHOUT_LIMIT} OFFSET ${max - 1}`,
    )}`,
  )
  yield* run(
    sql`INSERT INTO sessions (id, account_id, method, key_id, passkey_id, hash, user_agent,
                              created_at, seen_at, expires_at, ended_at)
        VALUES (${id}, ${accountId}, ${method}, ${keyId}, ${passkeyId}, ${hash}, ${userAgent},
                ${createdAt}, ${session.seenAt}, ${session.expiresAt}, ${session.endedAt})`,
  )
}

interface LinkRow {
  readonly accountId: string | null
  readonly email: string | null
  readonly mailed: number
  readonly expires_at: number
  readonly used_at: number | null
}

/** Nodes of earlier builds mail links without the address: it is that of the account. */
const LINK_TARGET = shared(
  `CASE WHEN mailed = 0 THEN account_id END AS "accountId",
   coalesce(sign_in_links.email, CASE WHEN mailed = 1 THEN accounts.email_key END) AS email`,
)
const OF_LINK = differing('', 'FOR UPDATE OF sign_in_links')

export const signInLinks = {
  *add({ tokenHash, accountId, email, createdAt, expiresAt }) {
    yield* run(
      sql`INSERT INTO sign_in_links (token_hash, account_id, email, mailed, created_at, expires_at)
          VALUES (${tokenHash}, ${accountId}, ${email}, ${email === null ? 0 : 1}, ${createdAt}, ${expiresAt})`,
    )
  },

  *find(tokenHash) {
    const link = yield* first<LinkTarget>(
      sql`SELECT ${LINK_TARGET} FROM sign_in_links LEFT JOIN accounts ON accounts.id = sign_in_links.account_id
          WHERE token_hash = ${tokenHash}`,
    )
    return link ?? null
  },

  *redeem(tokenHash, account, session, max) {
    const now = session.createdAt
    yield* begin()
    // Accounts before links, as where an account is deleted.
    yield* lockAddress(account)
    const link = yield* first<LinkRow>(
      sql`SELECT ${LINK_TARGET}, mailed, expires_at, used_at
          FROM sign_in_links LEFT JOIN accounts ON accounts.id = sign_in_links.account_id
          WHERE token_hash = ${tokenHash}
          ${OF_LINK}`,
    )
    if (link === undefined) return 'unknown'
    if (link.used_at !== null) return 'used'
    if (link.expires_at <= now) return 'expired'
    const isMailed = link.mailed === 1
    if (isMailed ? link.email !== account.email : link.accountId !== account.id) return 'other_owner'
    if (isMailed) {
      const proof = yield* checkProof(account)
      if (typeof proof === 'string') return proof
      if (!(yield* recordProof(account, proof, now))) return 'other_owner'
    } else if (!(yield* isActive(account.id))) return 'blocked'
    yield* run(sql`UPDATE sign_in_links SET used_at = ${now} WHERE token_hash = ${tokenHash}`)
    yield* openSession({ ...session, accountId: account.id }, max)
    return true
  },

  *deleteExpired(before) {
    yield* run(sql`DELETE FROM sign_in_links WHERE expires_at < ${before}`)
  },
} satisfies QueriesOf<SignInLinks>

function* isActive(accountId: string): Query<boolean> {
  const found = yield* rows(sql`SELECT 1 FROM accounts WHERE id = ${accountId} AND status = 'active'`)
  return found.length > 0
}

const SIGNUP_COLUMNS = shared(
  `token_hash AS "tokenHash", purpose, email, name, created_at AS "createdAt", expires_at AS "expiresAt"`,
)

export const signups = {
  /** Deletes expired signups too: unconfirmed e-mail addresses must not be kept. */
  *add({ tokenHash, purpose, email, name, createdAt, expiresAt }) {
    yield* begin()
    yield* run(sql`DELETE FROM signups WHERE expires_at <= ${createdAt}`)
    yield* run(
      sql`INSERT INTO signups (token_hash, purpose, email, name, created_at, expires_at)
          VALUES (${tokenHash}, ${purpose}, ${email}, ${name}, ${createdAt}, ${expiresAt})`,
    )
  },

  *find(tokenHash, purpose, now) {
    const signup = yield* first<Signup>(
      sql`SELECT ${SIGNUP_COLUMNS} FROM signups
          WHERE token_hash = ${tokenHash} AND purpose = ${purpose} AND expires_at > ${now}`,
    )
    return signup ?? null
  },

  *redeem(tokenHash, purpose, account, key, cap, now) {
    yield* begin()
    // Accounts before links, as where an account is deleted.
    yield* lockAddress(account)
    const signup = yield* first<{ email: string }>(
      sql`SELECT lower(email) AS email FROM signups
          WHERE token_hash = ${tokenHash} AND purpose = ${purpose} AND expires_at > ${now} ${FOR_UPDATE}`,
    )
    if (signup === undefined) return null
    if (signup.email !== account.email) return 'other_owner'
    const proof = yield* checkProof(account)
    if (typeof proof === 'string') return proof
    const refusal = yield* keyRefusal(key, cap)
    if (refusal !== null) return refusal
    if (!(yield* recordProof(account, proof, now))) return 'other_owner'
    yield* run(sql`DELETE FROM signups WHERE token_hash = ${tokenHash}`)
    yield* insertKey(key)
    return true
  },
} satisfies QueriesOf<Signups>

const PASSKEY_COLUMNS = shared(
  `passkeys.id, account_id AS "accountId", credential_id AS "credentialId", public_key AS "publicKey", counter,
   transports, passkeys.name, backed_up AS "backedUp", passkeys.created_at AS "createdAt",
   last_used_at AS "lastUsedAt"`,
)

type PasskeyRow = Omit<Passkey, 'transports' | 'backedUp'> & { transports: string; backedUp: number }

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    accountId: row.accountId,
    credentialId: row.credentialId,
    publicKey: row.publicKey,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    name: row.name,
    backedUp: row.backedUp === 1,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
  }
}

export const passkeys = {
  *add(passkey, max) {
    const { id, accountId, credentialId, publicKey, counter, transports, name, backedUp, createdAt } = passkey
    yield* begin()
    yield* lockAccount(accountId)
    yield* requireOpen(accountId)
    const counted = yield* first<{ held: number }>(
      sql`SELECT count(*) AS held FROM passkeys WHERE account_id = ${accountId}`,
    )
    if (counted!.held >= max) return 'too_many'
    const added = yield* run(
      sql`INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up,
                                created_at, last_used_at)
          VALUES (${id}, ${accountId}, ${credentialId}, ${publicKey}, ${counter}, ${JSON.stringify(transports)},
                  ${name}, ${backedUp ? 1 : 0}, ${createdAt}, ${passkey.lastUsedAt})
          ON CONFLICT (credential_id) DO NOTHING`,
    )
    return added === 1 ? true : 'known'
  },

  *list(accountId) {
    const found = yield* rows<PasskeyRow>(
      sql`SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE account_id = ${accountId} ORDER BY id DESC`,
    )
    return found.map(passkeyOf)
  },

  *findByCredential(credentialId) {
    const found = yield* first<PasskeyRow & OwnerColumns>(
      sql`SELECT ${PASSKEY_COLUMNS}, ${OWNER_COLUMNS}
          FROM passkeys JOIN accounts ON accounts.id = passkeys.account_id
          WHERE credential_id = ${credentialId}`,
    )
    return found === undefined ? null : { passkey: passkeyOf(found), account: ownerOf(found) }
  },

  *recordUse(id, counter, now) {
    const used = yield* run(
      sql`UPDATE passkeys SET counter = ${counter}, last_used_at = ${GREATEST}(coalesce(last_used_at, 0), ${now})
          WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter === 0}))`,
    )
    return used === 1
  },

  *remove(accountId, id, now, kept) {
    yield* begin()
    if ((yield* run(sql`DELETE FROM passkeys WHERE account_id = ${accountId} AND id = ${id}`)) === 0) return null
    const ended = yield* rows<{ hash: string }>(
      sql`UPDATE sessions SET ended_at = ${now}
          WHERE account_id = ${accountId} AND passkey_id = ${id} AND ended_at IS NULL
            AND (${text(kept)} IS NULL OR id <> ${kept})
          RETURNING hash`,
    )
    return ended.map(({ hash }) => hash)
  },
} satisfies QueriesOf<Passkeys>

export const challenges = {
  *add({ hash, accountId, expiresAt }, now) {
    yield* begin()
    yield* run(sql`DELETE FROM challenges WHERE expires_at <= ${now}`)
    yield* run(sql`INSERT INTO challenges (hash, account_id, expires_at) VALUES (${hash}, ${accountId}, ${expiresAt})`)
  },

  *consume(hash, accountId, now) {
    const consumed = yield* run(
      sql`DELETE FROM challenges
          WHERE hash = ${hash} AND account_id IS NOT DISTINCT FROM ${accountId} AND expires_at > ${now}`,
    )
    return consumed === 1
  },
} satisfies QueriesOf<Challenges>
