import Type from 'typebox'
import { endpoint } from '../endpoint.ts'

export const mailRecoveryLink = endpoint({
  id: 'mailRecoveryLink',
  method: 'POST',
  path: '/v1/sessions/link',
  tag: 'Keys',
  summary: 'Get a new key for an account whose keys are lost',
  description:
    'Mails a link to the address of an account; the page behind it issues a new key for the account and marks the address as verified. The answer is the same whether or not an account has the address. Limited for each address and for each client. Where the service sends no mail, the operator issues a key: `incident-feed keys create --account <id>`.',
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
