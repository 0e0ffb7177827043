import Type from 'typebox'
import { EVENT_KINDS } from '../../../domain/incident.ts'
import { LIMIT_PARAMETER } from '../../../filter/listing.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { meta } from './incident.ts'

export const Change = Named(
  'Change',
  Type.Object({
    seq: Type.Integer({
      minimum: 1,
      description:
        'The number of the change. Numbers have no gaps, except one of millions after a restore from a backup.',
    }),
    event: OneOf(
      EVENT_KINDS,
      '`incident.imported` adds history, corrects it or takes it back; it is not sent to watches or streams.',
    ),
    at: Time('When the change was committed.'),
    incident_id: Type.String(),
    incident: Nullable(Type.Ref('Incident')),
    merged_into: Type.Optional(
      Type.String({ description: 'Where the retracted incident went on: the one that it was merged into.' }),
    ),
    redacted: Type.Optional(
      Type.Boolean({
        description: 'True if the change took content out: delete every earlier version of the incident that you keep.',
      }),
    ),
  }),
)

export const ChangeList = Named(
  'ChangeList',
  Type.Object({
    data: Type.Array(Type.Ref('Change')),
    next_after: Type.Integer({ minimum: 0, description: 'Send it as `after` to continue, now or later.' }),
    has_more: Type.Boolean({ description: 'Whether more changes are available at once.' }),
    meta,
  }),
)

export const listChanges = endpoint({
  id: 'listChanges',
  method: 'GET',
  path: '/v1/changes',
  sample: { after: '0', limit: '10' },
  tag: 'Incidents',
  summary: 'Keep a copy up to date',
  description:
    'Every incident created, imported, updated or retracted, in order and without gaps; all changes are kept. Store `incident` under `incident_id`; if it is `null`, ' +
    'delete your copy: the incident has been retracted, and all its changes, earlier ones included, then contain only its id and their times. ' +
    'An `incident` is the version after the change (for imported history: the current version). After a restore from a backup, a position that was lost is answered with 410.',
  scope: 'read',
  query: {
    after: {
      description: 'The last `seq` that you have; 0 or no value starts at the beginning.',
      example: '8123',
      number: { type: 'integer', minimum: 0 },
    },
    limit: LIMIT_PARAMETER,
  },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The changes after that position.',
    schema: Type.Ref('ChangeList'),
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter', 'position_lost'],
})
