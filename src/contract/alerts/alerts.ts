import Type from 'typebox'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { endpoint } from '../endpoint.ts'
import { CheckedByHandler, OneOf } from '../schema.ts'

export const requestAlert = endpoint({
  id: 'requestAlert',
  method: 'POST',
  path: '/v1/alerts',
  tag: 'Alerts',
  summary: 'Ask for alerts by e-mail, without an account',
  description:
    'For anybody: no key is needed. Mails the address a question whether it wants a mail for every incident that is confirmed in the area, and for corrections and withdrawals; or for those of one incident. Nothing else is sent before the link in it is opened, within 24 hours; every later mail has a link that ends the alert and deletes the address. ' +
    'The answer is the same whether or not a mail was sent: an address that has not answered is asked once a week, whoever asks. Limited for each client and over all. People use the page `/alerts`.',
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    {
      email: Type.String({ format: 'email', maxLength: 254 }),
      filter: CheckedByHandler(
        Type.Ref('WatchFilter', {
          description:
            'Where: `state`, `lga`, `near` with `radius_km`, `bbox`, `polygon` or `route`; and, if wanted, `type`, `category`, `severity` or `min_severity`. Or `incident` alone, with the id of one incident to follow.',
        }),
      ),
      language: Type.Optional(OneOf(LANGUAGE_CODES, 'Of the question and of the mails. Default: `en`.')),
    },
    {
      additionalProperties: false,
      example: { email: 'you@example.org', filter: { state: ['Kaduna'], min_severity: 'high' } },
    },
  ),
  response: {
    status: 202,
    description: 'The address is asked, unless it was asked lately.',
    schema: Type.Ref('PendingKey'),
  },
  problems: ['invalid_body', 'too_many_values', 'mail_not_set_up'],
})
