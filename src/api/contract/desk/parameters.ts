import Type from 'typebox'
import { Nullable } from '../schema.ts'

export const incidentId = { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' }

export const note = Type.Optional(
  Nullable(Type.String({ maxLength: 1000, description: 'The reason; kept in the history, not published.' })),
)

export const version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version that you have read; the same as `If-Match`.' }),
)

/** A move of one incident, and the errors that each may return. */
export const move = { tag: 'Desk', method: 'POST', scope: 'review', pathParameters: incidentId } as const
export const refusals = [
  'invalid_body',
  'malformed_request',
  'not_found',
  'not_in_this_state',
  'claimed_by_another',
  'stale_version',
] as const

/** `If-Match` names the version that was read. */
export const checkedVersion = { requestHeaders: ['If-Match'] } as const

export const movedResponse = {
  status: 200,
  description: 'The incident after the change; `desk.undo` tells what undoes it.',
  schema: Type.Ref('DeskIncident'),
  headers: { ETag: 'The version; send it back as `If-Match`.' },
}
