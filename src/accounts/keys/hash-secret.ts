import { hash } from 'node:crypto'

/** The stored form of a secret. Secrets are long and random, so plain SHA-256 is safe. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
