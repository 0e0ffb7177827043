import type { Scope } from '../../../src/domain/keys.ts'

/** A key as the API lists it. */
export interface KeyEntry {
  readonly id: string
  readonly kind: 'live' | 'publishable'
  readonly name: string | null
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly origins: readonly string[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly requests_last_30_days: number
}

export interface IssuedKeyEntry extends KeyEntry {
  readonly key: string
}

export function isValid({ revoked_at, expires_at }: KeyEntry, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now)
}

export function keyName({ name, hint }: Pick<KeyEntry, 'name' | 'hint'>): string {
  return name ?? `Key …${hint}`
}
