import { hash } from 'node:crypto'

/** Names an answer. Weak: the same answer has other bytes under another encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}
