import { Webhook } from 'standardwebhooks'
import type { MessageBody, ReceivedMessage } from '../../../../resilience/harness/webhooks/received-message.ts'

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
export const INCIDENT = {
  id: 'inc_1',
  version: 1,
  status: 'confirmed',
  state: 'Kaduna',
  severity: 'high',
  summary: 'A.',
}

/** A message as the service would send it, signed, with the given changes to its body. */
export function aMessage(changes: Partial<MessageBody> = {}): ReceivedMessage {
  const body: MessageBody = {
    event: 'incident.created',
    watch: 'A watch',
    incident: INCIDENT,
    id: 'msg_1',
    watch_id: 'wat_1',
    sequence: 1,
    seq: 1,
    created_at: '2026-05-01T06:30:00Z',
    ...changes,
  }
  const text = JSON.stringify(body)
  const sentAt = new Date('2026-05-01T06:30:01Z')
  const signature = new Webhook(SECRET).sign(body.id, sentAt, text)
  const headers = { id: body.id, timestamp: String(sentAt.getTime() / 1000), signature }
  return { headers, text, body, receivedAt: 0, accepted: true, seq: body.seq, watchId: body.watch_id }
}
