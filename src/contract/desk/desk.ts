import Type from 'typebox'
import { STATUSES } from '../../domain/incident.ts'
import { HISTORY_STEPS } from '../../domain/moderation-record.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { reportFields } from './reports.ts'

const id = { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' }
const note = Type.Optional(
  Nullable(Type.String({ maxLength: 1000, description: 'The reason; kept in the history, not published.' })),
)
const etag = { ETag: 'The version; send it back as `If-Match`.' }

export const DeskList = Named(
  'DeskList',
  Type.Object({
    data: Type.Array(Type.Ref('DeskIncident')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
  }),
)

export const Step = Named(
  'Step',
  Type.Object({
    step: OneOf(HISTORY_STEPS),
    version: Type.Integer({ minimum: 1, description: 'The version that the step produced.' }),
    at: Time('When it happened.'),
    by: Type.Object({ key_id: Type.String(), name: Type.String() }),
    note: Nullable(Type.String()),
    fields: Type.Array(Type.String(), { description: 'The fields that an update changed.' }),
  }),
)

export const listDesk = endpoint({
  id: 'listDesk',
  method: 'GET',
  path: '/v1/desk/incidents',
  tag: 'Desk',
  summary: 'List reports that need a decision',
  description:
    'Lists incidents with one status, newest report first; confirmed ones by publication time. Each includes its possible duplicates.',
  scope: 'review',
  query: {
    status: { description: 'Default: `reported`.', example: 'reported', values: STATUSES },
    limit: { description: 'Incidents per page, from 1 to 200. Default: 50.', example: '50' },
    cursor: { description: 'The `next_cursor` of the previous page.', example: 'next_cursor' },
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
  scope: 'review',
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
    'Corrects a report or a confirmed incident; requires `If-Match: "<version>"`. Only the fields sent change. The location is replaced as a whole: if any of `lat`, `lng`, `state`, `lga`, `place` and `precision` is sent, ' +
    'the others are discarded. `sources` replaces the whole list, `casualties` only the figures sent. A `severity` of null restores the value from the table. A `confidence` overrides the computed value until it is set to null. ' +
    'Severity and confidence are computed again. A changed confirmed incident gets the next version and appears in the feed.',
  scope: 'review',
  pathParameters: id,
  body: Type.Object(
    {
      ...reportFields,
      type: Type.Optional(reportFields.type),
      occurred_at: Type.Optional(reportFields.occurred_at),
      confidence: Type.Optional(
        Nullable(Type.Number({ minimum: 0, maximum: 1, description: "An operator's judgement, published as such." })),
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
    description: 'The incident after the change.',
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

const move = { tag: 'Desk', method: 'POST', scope: 'review', pathParameters: id } as const
const movedResponse = {
  status: 200,
  description: 'The incident after the change.',
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
    'Publishes the incident at once: in the list, to streams and to watches. `If-Match` may name the version that you reviewed. If several operators confirm at the same time, one succeeds; the others learn that it is already confirmed.',
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
  description: 'The report stays unpublished and is kept with the reason.',
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
  description:
    'Removes the incident from the list and the map; reading it by id returns 410, and the feed announces the retraction.',
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
    'Moves the sources to another report or confirmed incident, whose confidence is computed again. Returns that incident.',
  body: Type.Object(
    { into: Type.String({ description: 'The id of the incident that remains.' }), note },
    { additionalProperties: false, example: { into: 'inc_01jd8z0c5x…' } },
  ),
  response: { ...movedResponse, description: 'The incident that the report was merged into.' },
  problems: refusals,
})

export const readHistory = endpoint({
  id: 'readHistory',
  method: 'GET',
  path: '/v1/desk/incidents/{id}/history',
  tag: 'Desk',
  summary: "Read an incident's history",
  description: 'Every step with its author, time and reason, oldest first. Imports leave no step.',
  scope: 'review',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'All steps.', schema: Type.Object({ data: Type.Array(Type.Ref('Step')) }) },
  problems: ['invalid_parameter', 'not_found'],
})
