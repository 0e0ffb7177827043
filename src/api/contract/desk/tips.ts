import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, Time } from '../schema.ts'
import { incidentId } from './parameters.ts'

export const Tip = Named(
  'Tip',
  Type.Object({
    incident_id: Type.String({ description: 'The report that the tip became.' }),
    received_at: Time('When it was sent.'),
    contact: Nullable(
      Type.String({ description: 'How to reach whoever sent it; null if they did not say, or it was erased.' }),
    ),
    kept_until: Time('When the contact and the reference number are deleted.'),
    additions: Type.Integer({ minimum: 0, description: 'How often something was added: notes in the history.' }),
  }),
)

export const listTips = endpoint({
  id: 'listTips',
  method: 'GET',
  path: '/v1/desk/incidents/{id}/tips',
  tag: 'Desk',
  summary: 'Read who sent the tips behind an incident',
  description:
    'The tip that became this incident, and those of the reports merged into it. The contact is in no other answer: not in lists, changes, webhooks, downloads, the history or the audit log.',
  scope: 'review',
  pathParameters: incidentId,
  query: {},
  response: {
    status: 200,
    description: 'The tips, oldest first.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Tip')) }),
  },
  problems: ['invalid_parameter', 'not_found'],
})
