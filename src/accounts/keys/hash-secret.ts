import { hash } from 'node:crypto'

/**
 * The form in which a secret is stored. Keys and tokens are long and random, so a plain SHA-256 is
 * safe.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
