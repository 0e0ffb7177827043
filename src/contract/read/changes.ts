import Type from 'typebox'
import { EVENT_KINDS } from '../../domain/incident.ts'
import { LIMIT_PARAMETER } from '../../query/listing.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { meta } from './incident.ts'

export const Change = Named(
  'Change',
  Type.Object({
    seq: Type.Integer({
      minimum: 1,
      description:
        'Counts all changes, without gaps, but for one of millions where the service was restored from a backup.',
    }),
    event: OneOf(EVENT_KINDS, '`incident.imported` brings history in; it reaches no watch and no stream.'),
    at: Time('When it was committed.'),
    incident_id: Type.String(),
    incident: Nullable(Type.Ref('Incident')),
  }),
)

export const ChangeList = Named(
  'ChangeList',
  Type.Object({
    data: Type.Array(Type.Ref('Change')),
    next_after: Type.Integer({ minimum: 0, description: 'Pass it on as `after`, now or later.' }),
    has_more: Type.Boolean({ description: 'Whether more can be had at once.' }),
    meta,
  }),
)

export const listChanges = endpoint({
  id: 'listChanges',
  method: 'GET',
  path: '/v1/changes',
  tag: 'Incidents',
  summary: 'Keep a copy in step',
  description:
    'Every incident created, imported, updated or retracted, in order, without gaps; all of them are kept. Store `incident` under `incident_id`; where it is `null`, ' +
    'delete what you have: the incident has been retracted, and nothing but its id and the times of its changes is given any more, in earlier changes either. ' +
    'An `incident` is as the change left it (of imported history: as it stands). Should the service ever be restored from a backup, a position that was lost with it is answered 410.',
  scope: 'read',
  query: {
    after: { description: 'The last `seq` that you have; 0, or nothing, begins at the beginning.', example: '8123' },
    limit: LIMIT_PARAMETER,
  },
  response: {
    status: 200,
    description: 'The changes after that one.',
    schema: Type.Ref('ChangeList'),
    headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter', 'position_lost'],
})
