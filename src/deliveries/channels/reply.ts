import { type ChannelKind, isMessenger } from '../../domain/channel.ts'
import type { SendResult } from '../../domain/delivery.ts'

/**
 * Reads what a channel answered. The wait that it asks for may be in the body. What it answers to a
 * message that it took is not kept: Telegram repeats the message, which a later redaction would not
 * reach there.
 */
export function readReply(kind: ChannelKind, sent: SendResult): SendResult {
  if (!isMessenger(kind) || sent.kind === 'failed') return sent
  if (sent.status >= 200 && sent.status < 300) return { ...sent, body: '' }
  // The browser has ended its subscription, or the push service has: RFC 8030 answers 404, others
  // 410.
  if (kind === 'webpush' && (sent.status === 404 || sent.status === 410))
    return { ...sent, gone: true, message: `The browser takes no notifications any more (${sent.status}).` }
  return { ...sent, retryAfter: sent.retryAfter ?? waitIn(sent.body) }
}

/**
 * Discord: `{"retry_after": 0.5}`; Telegram: `{"parameters": {"retry_after": 5}}`; both in seconds.
 */
function waitIn(body: string): string | null {
  const seconds = /"retry_after"\s*:\s*(\d{1,7}(?:\.\d{1,6})?)/.exec(body)?.[1]
  return seconds === undefined ? null : String(Math.ceil(Number(seconds)))
}
