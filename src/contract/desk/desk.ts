import Type from 'typebox'
import { STATUSES } from '../../domain/incident.ts'
import { HISTORY_STEPS } from '../../domain/moderation-record.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { reportFields } from './reports.ts'

const id = { id: 'The id of the incident, as `inc_01jd8z0c5x…`.' }
const note = Type.Optional(
  Nullable(Type.String({ maxLength: 1000, description: 'Why; kept in the history, not published.' })),
)
const etag = { ETag: 'The version, to be sent back as `If-Match`.' }

export const DeskList = Named(
  'DeskList',
  Type.Object({
    data: Type.Array(Type.Ref('DeskIncident')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String({ description: 'Pass it on as `cursor` for the next page.' })),
  }),
)

export const Step = Named(
  'Step',
  Type.Object({
    step: OneOf(HISTORY_STEPS),
    version: Type.Integer({ minimum: 1, description: 'The version that it left.' }),
    at: Time('When.'),
    by: Type.Object({ key_id: Type.String(), name: Type.String() }),
    note: Nullable(Type.String()),
    fields: Type.Array(Type.String(), { description: 'What an update has changed.' }),
  }),
)

export const listDesk = endpoint({
  id: 'listDesk',
  method: 'GET',
  path: '/v1/desk/incidents',
  tag: 'Desk',
  summary: 'List reports to decide on',
  description:
    'Incidents in one status, the newest report first; confirmed ones by when they were published. Each with what may be the same.',
  scope: 'operate',
  query: {
    status: { description: '`reported` where not given.', example: 'reported', values: STATUSES },
    limit: { description: 'Incidents a page, from 1 to 200; 50 where not given.', example: '50' },
    cursor: { description: 'The `next_cursor` of the page before.', example: 'next_cursor' },
  },
  response: { status: 200, description: 'A page of the queue.', schema: Type.Ref('DeskList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readDesk = endpoint({
  id: 'readDesk',
  method: 'GET',
  path: '/v1/desk/incidents/{id}',
  tag: 'Desk',
  summary: 'Read one incident, in any status',
  scope: 'operate',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'The incident.', schema: Type.Ref('DeskIncident'), headers: etag },
  problems: ['invalid_parameter', 'not_found'],
})

export const changeDesk = endpoint({
  id: 'changeDesk',
  method: 'PATCH',
  path: '/v1/desk/incidents/{id}',
  tag: 'Desk',
  summary: 'Correct an incident',
  description:
    'Of a report or a confirmed incident, with `If-Match: "<version>"`. Only the fields given change. The place is given anew as a whole: with any of `lat`, `lng`, `state`, `lga`, `place` and `precision`, ' +
    'the others of these are forgotten. `sources` replaces the list, `casualties` the figures given. A `severity` of null goes back to the table, a `confidence` overrides what the evidence comes to until it is null. ' +
    'Severity and confidence are worked out again. A confirmed incident that has changed gets the next version, and the feed tells of it.',
  scope: 'operate',
  pathParameters: id,
  body: Type.Object(
    {
      ...reportFields,
      type: Type.Optional(reportFields.type),
      occurred_at: Type.Optional(reportFields.occurred_at),
      confidence: Type.Optional(
        Nullable(
          Type.Number({ minimum: 0, maximum: 1, description: "An operator's own judgement; published as such." }),
        ),
      ),
      note,
    },
    {
      additionalProperties: false,
      example: { casualties: { killed: 2 }, note: 'The hospital has confirmed two deaths.' },
    },
  ),
  response: {
    status: 200,
    description: 'The incident as it then is.',
    schema: Type.Ref('DeskIncident'),
    headers: etag,
  },
  problems: [
    'invalid_body',
    'malformed_request',
    'not_found',
    'not_in_this_state',
    'stale_version',
    'version_required',
  ],
})

const move = { tag: 'Desk', method: 'POST', scope: 'operate', pathParameters: id } as const
const movedResponse = {
  status: 200,
  description: 'The incident as it then is.',
  schema: Type.Ref('DeskIncident'),
  headers: etag,
}
const noted = Type.Object({ note }, { additionalProperties: false, example: { note: 'Confirmed by the station.' } })
const refusals = ['invalid_body', 'malformed_request', 'not_found', 'not_in_this_state', 'stale_version'] as const

export const confirmIncident = endpoint({
  ...move,
  id: 'confirmIncident',
  path: '/v1/desk/incidents/{id}/confirm',
  summary: 'Confirm a report',
  description:
    'It is published at once: in the list, to streams and to watches. `If-Match` may name the version that you looked at. Of many who confirm at the same moment one does; the others are told that it is confirmed.',
  body: noted,
  bodyCheck: 'where given',
  response: movedResponse,
  problems: refusals,
})

export const rejectIncident = endpoint({
  ...move,
  id: 'rejectIncident',
  path: '/v1/desk/incidents/{id}/reject',
  summary: 'Reject a report',
  description: 'It stays unpublished, and is kept with the reason.',
  body: noted,
  bodyCheck: 'where given',
  response: movedResponse,
  problems: refusals,
})

export const retractIncident = endpoint({
  ...move,
  id: 'retractIncident',
  path: '/v1/desk/incidents/{id}/retract',
  summary: 'Retract a confirmed incident',
  description: 'It leaves the list and the map, answers 410 by id, and the feed tells those who have it.',
  body: noted,
  bodyCheck: 'where given',
  response: movedResponse,
  problems: refusals,
})

export const mergeIncident = endpoint({
  ...move,
  id: 'mergeIncident',
  path: '/v1/desk/incidents/{id}/merge',
  summary: 'Merge a report into another incident',
  description:
    'Its sources move to the other, a report or a confirmed incident, whose confidence is worked out again. Answers with that other incident.',
  body: Type.Object(
    { into: Type.String({ description: 'The id of the incident that stays.' }), note },
    { additionalProperties: false, example: { into: 'inc_01jd8z0c5x…' } },
  ),
  response: { ...movedResponse, description: 'The incident that it was merged into.' },
  problems: refusals,
})

export const readHistory = endpoint({
  id: 'readHistory',
  method: 'GET',
  path: '/v1/desk/incidents/{id}/history',
  tag: 'Desk',
  summary: "Read an incident's history",
  description: 'Every step with who, when and why, oldest first. An import leaves no step.',
  scope: 'operate',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'All steps.', schema: Type.Object({ data: Type.Array(Type.Ref('Step')) }) },
  problems: ['invalid_parameter', 'not_found'],
})
