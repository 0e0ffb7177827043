import { type Sabotage, SEEDS } from '../sabotage.ts'

/** Defects of what keys and accounts may do. */
export const ACCOUNT_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'scopes are not checked',
    edits: [
      {
        file: 'src/api/auth/authenticator.ts',
        find: 'if (scope !== null) checkScope(key, account, scope)',
        replace: "if (scope === 'admin') checkScope(key, account, scope)",
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'the rate limit admits everything',
    edits: [
      {
        file: 'src/accounts/rate-limiter.ts',
        find: 'const allowed = window.used < limit',
        replace: 'const allowed = window.used < limit * 1000',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: "another account's watch can be read",
    edits: [
      {
        file: 'src/store/queries/watches.ts',
        find: '(${text(accountId)} IS NULL OR watches.account_id = ${accountId})',
        replace: '(${text(accountId)} IS NULL OR watches.account_id >= substr(${accountId}, 1, 0))',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'a claim of an address outlives its proof',
    edits: [
      {
        file: 'src/store/queries/accounts.ts',
        find: '  yield* clearClaims(account.email!)\n',
        replace: '',
      },
    ],
    proofs: SEEDS,
  },
  {
    name: 'whoever claims an address owns it',
    edits: [
      {
        file: 'src/store/queries/accounts.ts',
        find: 'FROM accounts WHERE email_key = ${email} AND email_owned = 1`,',
        replace: 'FROM accounts WHERE email_key = ${email} ORDER BY id LIMIT 1`,',
      },
    ],
    proofs: SEEDS,
  },
  {
    name: 'a revoked key is accepted',
    edits: [
      {
        file: 'src/domain/keys.ts',
        find: "if (key.revokedAt !== null) return 'revoked'",
        replace: "if (key.revokedAt === -1) return 'revoked'",
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'wrong keys can be tried without end',
    edits: [
      {
        file: 'src/api/auth/authenticator.ts',
        find: 'const MAX_WRONG_KEYS_PER_MINUTE = 60',
        replace: 'const MAX_WRONG_KEYS_PER_MINUTE = 60_000',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'the answer to an Idempotency-Key is not stored with the write',
    edits: [
      {
        file: 'src/store/queries/idempotency.ts',
        find: 'if (!(yield* finishClaim(receipt, receipt.answer, receipt.mentions))) throw new ClaimLost()',
        replace: '',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'a claim on an Idempotency-Key is neither exclusive nor fenced',
    edits: [
      {
        file: 'src/api/idempotency.ts',
        find: 'const CLAIM_TIMEOUT_MS = 5_000',
        replace: 'const CLAIM_TIMEOUT_MS = -5_000',
      },
      {
        file: 'src/store/queries/idempotency.ts',
        find: 'WHERE id = ${id} AND token = ${token} AND answer IS NULL`,\n  )\n  return finished',
        replace: 'WHERE id = ${id} AND token >= substr(${token}, 1, 0)`,\n  )\n  return finished',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'secrets of watches are stored in plain text',
    edits: [
      {
        file: 'src/store/secrets/sealer.ts',
        find: 'const nonce = randomBytes(NONCE_BYTES)',
        replace: "if (watchId !== '') return secret\n    const nonce = randomBytes(NONCE_BYTES)",
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'other users of the machine can read the database',
    edits: [
      {
        file: 'src/store/files.ts',
        find: 'export const OWNER_ONLY = 0o600',
        replace: 'export const OWNER_ONLY = 0o644',
      },
      {
        file: 'src/store/files.ts',
        find: 'if (mode === undefined || (mode & 0o077) === 0) return',
        replace: 'if (mode !== -1) return',
      },
    ],
    proofs: ['hostile'],
    beyondSimulation: 'The simulated database is in memory, without files.',
  },
  {
    name: 'requests without a key have no limit',
    edits: [
      {
        file: 'src/api/auth/quotas.ts',
        find: 'if (allowed) return undefined',
        replace: 'if (allowed || remaining <= 0) return undefined',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'a key can make keys with scopes that it lacks',
    edits: [
      {
        file: 'src/domain/accounts.ts',
        find: 'return expandScopes(scopes).every((scope) => hasScope(key, role, scope))',
        replace: 'return expandScopes(scopes).every((scope) => SCOPES_BY_ROLE[role].includes(scope) || key === null)',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'a key that expires can make one that does not',
    edits: [
      {
        file: 'src/accounts/delegation.ts',
        find: 'return earlierExpiry(own, requested)',
        replace: 'return earlierExpiry(requested, requested)',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'an account can make keys without end',
    edits: [
      {
        file: 'src/accounts/keys.ts',
        find: 'return { valid: max, perDay: KEYS_PER_DAY }',
        replace: 'return { valid: max * 1000, perDay: KEYS_PER_DAY * 1000 }',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'every key has its own rate limit',
    edits: [
      {
        file: 'src/api/auth/quotas.ts',
        find: 'const allowance = this.#limiter.consume(subject, limit)',
        replace: 'const allowance = this.#limiter.consume(key.id, limit)',
      },
    ],
    proofs: ['hostile'],
  },
]
