import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../domain/identifier.ts'
import type { Watch } from '../../domain/watch.ts'
import { messageBody } from './message-body.ts'
import { signatureHeaders } from './sign.ts'
import type { WebhookRequest } from './webhook-sender.ts'

/** A signed message that says of itself that it is a test, around an incident that the watch could have been sent. */
export function testRequest(watch: Watch, document: string, seq: number, now: number): WebhookRequest {
  const id = newIdentifier('delivery', now, randomBytes)
  const notice = {
    event: watch.events[0]!,
    watch: watch.name,
    watchId: watch.id,
    id,
    sequence: 0,
    seq,
    createdAt: now,
  }
  const body = `${messageBody(notice, document).slice(0, -1)},"test":true}`
  return { url: watch.url, headers: signatureHeaders({ id, sentAt: now, body }, [watch.secret]), body }
}
