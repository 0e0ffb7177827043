import type { ChannelKind } from '../../domain/channel.ts'
import { emailTargetOf } from './email-target.ts'
import { languageIn } from './target.ts'

/**
 * Whether one message does for both targets, which the store takes for one receiver's. Mailboxes
 * are counted without the tag of an address, but who has another address may be another person; and
 * a group may want each message in two languages.
 */
export function isSameReceiver(kind: ChannelKind, one: string, other: string): boolean {
  if (languageIn(one) !== languageIn(other)) return false
  if (kind !== 'email') return true
  const [first, second] = [emailTargetOf(one), emailTargetOf(other)]
  return first !== null && second !== null && first.to.toLowerCase() === second.to.toLowerCase()
}
