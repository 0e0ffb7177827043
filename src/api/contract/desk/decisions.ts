import Type from 'typebox'
import { MERGED_FIELDS } from '../../../domain/lifecycle.ts'
import { endpoint } from '../endpoint.ts'
import { OneOf } from '../schema.ts'
import { checkedVersion, move, movedResponse, note, refusals, version } from './parameters.ts'

const noted = Type.Object(
  { note, version },
  { additionalProperties: false, example: { note: 'Confirmed by the station.' } },
)
const decision = {
  ...move,
  ...checkedVersion,
  body: noted,
  bodyCheck: 'where given',
  response: movedResponse,
  problems: refusals,
} as const

export const confirmIncident = endpoint({
  ...decision,
  id: 'confirmIncident',
  path: '/v1/desk/incidents/{id}/confirm',
  summary: 'Confirm a report',
  description:
    'Publishes the incident at once: in the list, to streams and to watches. `If-Match` may name the version that you reviewed. If several editors confirm at the same time, one succeeds; the others learn that it is already confirmed.',
})

export const rejectIncident = endpoint({
  ...decision,
  id: 'rejectIncident',
  path: '/v1/desk/incidents/{id}/reject',
  summary: 'Reject a report',
  description: 'The report stays unpublished and is kept with the reason. `reopen` undoes it.',
})

export const retractIncident = endpoint({
  ...decision,
  id: 'retractIncident',
  path: '/v1/desk/incidents/{id}/retract',
  summary: 'Retract a confirmed incident',
  description:
    'Removes the incident from the list and the map; reading it by id returns 410, and the feed announces the retraction. `restore` undoes it.',
})

export const reopenIncident = endpoint({
  ...decision,
  id: 'reopenIncident',
  path: '/v1/desk/incidents/{id}/reopen',
  summary: 'Reopen a rejected report',
  description: 'The report waits for a decision again.',
})

export const restoreIncident = endpoint({
  ...decision,
  id: 'restoreIncident',
  path: '/v1/desk/incidents/{id}/restore',
  summary: 'Restore a retracted incident',
  description:
    'Publishes the incident again, as its next version. Copies and streams get `incident.updated`; so do watches that list it. ' +
    'A watch on `incident.created` whose message was not delivered before the retraction gets that message now.',
})

const side = OneOf(['this', 'other'], '`this` is the incident in the path, `other` the one in `into`.')

export const mergeIncident = endpoint({
  ...move,
  ...checkedVersion,
  id: 'mergeIncident',
  path: '/v1/desk/incidents/{id}/merge',
  summary: 'Merge an incident into another',
  description:
    'Merges a report or a confirmed incident (`this`) into another (`other`), which remains and is returned. It gets the sources, the casualties by source, and for each field in `take` the chosen value; otherwise it keeps its own. ' +
    'Nothing is lost: what was not taken stays readable in the merged incident and in the history, and differing casualties are added to `casualties_reported`. `unmerge` undoes it. ' +
    'If the merged incident was public, reading it by id returns 301 with the `Location` of the one that remains, and `GET /v1/changes` carries `merged_into`. A confirmed incident cannot be merged into a report.',
  body: Type.Object(
    {
      into: Type.String({ description: 'The id of the incident that remains.' }),
      take: Type.Optional(
        Type.Object(Object.fromEntries(MERGED_FIELDS.map((field) => [field, Type.Optional(side)])), {
          additionalProperties: false,
          description: 'Whose value remains, by field. Default: `other`.',
        }),
      ),
      note,
      version,
      into_version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version of `into` that you have read. A stale one is refused.' }),
      ),
    },
    { additionalProperties: false, example: { into: 'inc_01jd8z0c5x…', take: { casualties: 'this' } } },
  ),
  response: { ...movedResponse, description: 'The incident that remains.' },
  problems: refusals,
})

export const unmergeIncident = endpoint({
  ...move,
  ...checkedVersion,
  id: 'unmergeIncident',
  path: '/v1/desk/incidents/{id}/unmerge',
  summary: 'Undo a merge',
  description:
    'Restores a merged incident, and takes from the one that it was merged into what it had brought. Refused with 409 if either was changed since: the detail says by what. Returns the restored incident.',
  body: noted,
  bodyCheck: 'where given',
  response: movedResponse,
  problems: [...refusals, 'changed_since'],
})

export const undoStep = endpoint({
  ...move,
  ...checkedVersion,
  id: 'undoStep',
  path: '/v1/desk/incidents/{id}/undo',
  summary: 'Undo the last step',
  description:
    'Undoes the step that `desk.undo` names: a rejection is reopened, a retraction restored, a merge undone, a confirmation retracted, a correction put back. Refused with 409 if the incident was changed since.',
  body: Type.Object(
    { step: Type.String({ description: 'The id of the step, as in `desk.undo.step` or in the history.' }), note },
    { additionalProperties: false, example: { step: 'stp_01jd8z0c5xqvjv8y2kvhr3w1ad' } },
  ),
  response: movedResponse,
  problems: [...refusals, 'changed_since', 'not_undoable'],
})
