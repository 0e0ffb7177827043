import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { addKey, type KeyRequest, keyCap, openAccount } from '../../../src/accounts/keys.ts'
import { SCOPES_BY_ROLE } from '../../../src/domain/accounts.ts'
import { generateKey } from '../../../src/domain/keys.ts'
import type { Store } from '../../../src/store/store.ts'
import { openMember } from '../../../test/support/sign-in.ts'
import type { Operation } from '../openapi-document.ts'
import { mostly } from './chance.ts'
import type { LearnedValues } from './learned-values.ts'
import { anyText } from './texts.ts'

const KEY_REQUESTS = {
  operate: { scopes: ['read', 'watch', 'operate'] },
  watch: { scopes: ['read', 'watch'] },
  read: { scopes: ['read'] },
  publishable: { kind: 'publishable' },
  originBound: { kind: 'publishable', origins: ['https://example.org'] },
  revoked: {},
  expired: { expiresAt: 1 },
} as const satisfies Record<string, KeyRequest>

export interface IssuedKeys {
  /** Of the keys and of their accounts. */
  readonly ids: readonly string[]
  readonly texts: Readonly<Record<keyof typeof KEY_REQUESTS, string>>
  /** A key with every scope. */
  readonly admin: string
}

/** Issues a key of every scope and in every state, each to a separate account. */
export async function issueKeys(store: Store): Promise<IssuedKeys> {
  const now = Date.now()
  const ids: string[] = []
  const texts: Record<string, string> = {}
  for (const [name, keyRequest] of Object.entries(KEY_REQUESTS)) {
    const { key, text } = await openAccount(store, { email: `${name}@example.org`, name }, keyRequest, now)
    if (name === 'revoked') await store.keys.revoke(key.accountId, key.id, now)
    ids.push(key.id, key.accountId)
    texts[name] = text
  }
  const admin = await openMember(store, 'admin')
  const scopes = SCOPES_BY_ROLE.admin
  const issued = await addKey(() => store, admin.id, { scopes }, keyCap(1), now)
  if (typeof issued !== 'object') throw new Error(`the key of an admin is refused: ${String(issued)}`)
  ids.push(admin.id, issued.key.id)
  return { ids, texts: texts as IssuedKeys['texts'], admin: issued.text }
}

/** Generates `Authorization` headers with issued, learned and wrong keys; undefined for none. */
export function authorizationFor(
  operation: Operation,
  { texts }: IssuedKeys,
  learned: LearnedValues,
): fc.Arbitrary<string | undefined> {
  const key = mostly<string | undefined>(
    fc.constant(texts.operate),
    [0.13, fc.constant(texts.watch)],
    [0.06, fc.constant(texts.read)],
    [0.04, fc.constant(texts.publishable)],
    [0.02, fc.constant(texts.originBound)],
    [0.01, fc.constant(texts.revoked)],
    [0.01, fc.constant(texts.expired)],
    [0.04, learned.oneOf('key', fc.constant(texts.operate))],
    [0.01, fc.constant(null).map(() => generateKey('live', randomBytes))],
    [0.01, fc.constant(`${texts.read}x`)],
    [0.02, anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''))],
    [0.03, fc.constant(undefined)],
  )
  const header = fc
    .tuple(mostly(fc.constant('Bearer'), [0.25, fc.constant('bearer')]), key)
    .map(([scheme, text]) => (text === undefined ? undefined : `${scheme} ${text}`))
  // Anonymous in most cases; otherwise one account would collect thousands of keys.
  return operation.id === 'createKey' ? mostly(header, [0.6, fc.constant(undefined)]) : header
}
