import Type from 'typebox'
import { STATUSES } from '../../../domain/incident.ts'
import { BULK_MOVES } from '../../../domain/lifecycle.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf } from '../schema.ts'
import { note } from './parameters.ts'

export const MAX_BULK = 200

export const BulkResults = Named(
  'BulkResults',
  Type.Object({
    done: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    data: Type.Array(
      Type.Union([
        Type.Object({
          id: Type.String(),
          status: Type.Literal(200),
          incident: Type.Object({
            id: Type.String(),
            status: OneOf(STATUSES),
            version: Type.Integer({ minimum: 1 }),
            claim: Nullable(Type.Ref('Claim')),
            undo: Nullable(Type.Ref('Undo')),
          }),
        }),
        Type.Object({
          id: Type.String(),
          status: Type.Integer({ minimum: 400, maximum: 599 }),
          problem: Type.Ref('Problem'),
        }),
      ]),
      { description: 'One result per id, in the order sent.' },
    ),
  }),
)

export const moveInBulk = endpoint({
  id: 'moveInBulk',
  method: 'POST',
  path: '/v1/desk/bulk',
  tag: 'Desk',
  summary: 'Decide on many incidents',
  description: `Makes one move on up to ${MAX_BULK} incidents. Each has its own result and its own transaction: one that is refused does not affect the others.`,
  scope: 'review',
  body: Type.Object(
    {
      ids: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MAX_BULK,
        description: 'Incidents, each named once.',
      }),
      move: OneOf(BULK_MOVES),
      note,
    },
    {
      additionalProperties: false,
      example: { ids: ['inc_01jd8z0c5x…', 'inc_01jd8z0c5y…'], move: 'reject', note: 'Not a security incident.' },
    },
  ),
  response: { status: 207, description: 'The result for each incident.', schema: Type.Ref('BulkResults') },
  problems: ['invalid_body'],
})
