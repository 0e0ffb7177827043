import { randomBytes } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import { hashSecret } from '../keys/hash-secret.ts'

export const LINK_VALID_MS = 15 * 60_000
/** An invitation waits for somebody who does not expect it. */
export const INVITATION_VALID_MS = 72 * 3_600_000

/** A link that signs in once; whoever has it is signed in. */
export interface NewLink {
  readonly url: string
  readonly expiresAt: number
}

export async function issueSignInLink(
  store: Pick<Store, 'signInLinks'>,
  publicUrl: string,
  accountId: string,
  options: { readonly mailed: boolean; readonly validMs?: number },
  now: number,
): Promise<NewLink> {
  const token = randomBytes(24).toString('base64url')
  const expiresAt = now + (options.validMs ?? LINK_VALID_MS)
  const link = { tokenHash: hashSecret(token), accountId, mailed: options.mailed, createdAt: now, expiresAt }
  await store.signInLinks.add(link)
  return { url: `${publicUrl}/sign-in?token=${token}`, expiresAt }
}
