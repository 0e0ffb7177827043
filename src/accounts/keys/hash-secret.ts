import { hash } from 'node:crypto'

/** What is kept of a secret. Keys and tokens are long and random, so a plain SHA-256 cannot be guessed back. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
