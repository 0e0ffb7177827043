import { randomBytes } from 'node:crypto'
import { type KeyRequest, openAccount } from '../../../src/accounts/keys/issue.ts'
import { generateKey } from '../../../src/domain/key.ts'
import { choiceOf, draw, pick, type Random } from '../../../src/lib/random.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Operation } from '../openapi-document.ts'
import type { Known } from './learned-values.ts'
import { anyText } from './texts.ts'

const KINDS = choiceOf([
  ['operate', 62],
  ['watch', 13],
  ['read', 6],
  ['publishable', 4],
  ['bound', 2],
  ['revoked', 1],
  ['expired', 1],
  ['learned', 4],
  ['unknown', 1],
  ['mistyped', 1],
  ['nonsense', 2],
  ['none', 3],
] as const)
type Kind = (typeof KINDS)['values'][number]

const WISHES = {
  operate: { scopes: ['read', 'watch', 'operate'] },
  watch: { scopes: ['read', 'watch'] },
  read: { scopes: ['read'] },
  publishable: { kind: 'publishable' },
  bound: { kind: 'publishable', origins: ['https://example.org'] },
  revoked: {},
  expired: { expiresAt: 1 },
} as const satisfies Record<string, KeyRequest>

export interface IssuedKeys {
  readonly ids: readonly string[]
  readonly texts: Readonly<Record<keyof typeof WISHES, string>>
}

/** A key of every scope and in every state, each of an account of its own. */
export async function issueKeys(store: Store): Promise<IssuedKeys> {
  const now = Date.now()
  const ids: string[] = []
  const texts: Record<string, string> = {}
  for (const [name, wish] of Object.entries(WISHES)) {
    const { key, text } = await openAccount(store, { email: `${name}@example.org`, name }, wish, now)
    if (name === 'revoked') await store.keys.revoke(key.accountId, key.id, now)
    ids.push(key.id)
    texts[name] = text
  }
  return { ids, texts: texts as IssuedKeys['texts'] }
}

/** Those keys, the ones that answers have shown, wrong ones and none. */
export class KeyRing {
  readonly #texts: IssuedKeys['texts']
  readonly #known: Known

  constructor({ texts }: IssuedKeys, known: Known) {
    this.#texts = texts
    this.#known = known
  }

  get publishable(): string {
    return this.#texts.publishable
  }

  /** An `Authorization` header; null for none. */
  one(operation: Operation, random: Random): string | null {
    // Strangers mostly, or one account would gather thousands of keys.
    if (operation.id === 'createKey' && random() < 0.6) return null
    const text = this.#text(draw(random, KINDS), random)
    return text === null ? null : `${pick(random, ['Bearer', 'Bearer', 'Bearer', 'bearer'])} ${text}`
  }

  #text(kind: Kind, random: Random): string | null {
    switch (kind) {
      case 'none':
        return null
      case 'learned':
        return this.#known.one('key', random) ?? null
      case 'unknown':
        return generateKey('live', randomBytes)
      case 'mistyped':
        return `${this.#texts.read}x`
      case 'nonsense':
        return anyText(random).replaceAll(/[^\x20-\x7e]/g, '')
      default:
        return this.#texts[kind]
    }
  }
}
