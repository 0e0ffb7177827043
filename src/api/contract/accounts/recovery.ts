import Type from 'typebox'
import { endpoint } from '../endpoint.ts'

export const mailRecoveryLink = endpoint({
  id: 'mailRecoveryLink',
  method: 'POST',
  path: '/v1/sessions/link',
  tag: 'Sessions',
  summary: 'Mail a sign-in link, or get a new key for an account whose keys are lost',
  description:
    'Mails two links to the address of an account: one signs in at the pages of this service, once, within 15 minutes; the page behind the other issues a new key, within 24 hours. Using either marks the address as verified. The answer is the same whether or not an account has the address. Limited for each address and for each client. Where the service sends no mail, the operator issues a link or a key: `incident-feed accounts sign-in-link <id>`, `incident-feed keys create --account <id>`.',
  scope: null,
  body: Type.Object(
    { email: Type.String({ format: 'email', maxLength: 254 }) },
    { additionalProperties: false, example: { email: 'you@example.org' } },
  ),
  response: {
    status: 202,
    description: 'A link is on its way if an account has the address.',
    schema: Type.Ref('PendingKey'),
  },
  problems: ['invalid_body', 'mail_not_set_up'],
})
