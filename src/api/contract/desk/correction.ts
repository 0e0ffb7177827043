import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Nullable } from '../schema.ts'
import { checkedVersion, incidentId, movedResponse, note, refusals } from './parameters.ts'
import { reportFields } from './reports.ts'

export const changeDesk = endpoint({
  id: 'changeDesk',
  method: 'PATCH',
  path: '/v1/desk/incidents/{id}',
  tag: 'Desk',
  summary: 'Correct an incident',
  description:
    'Corrects a report or a confirmed incident; requires `If-Match: "<version>"`. Only the fields sent change. The location is replaced as a whole: if any of `lat`, `lng`, `state`, `lga`, `place` and `precision` is sent, ' +
    'the others are discarded. `sources` and `casualties_reported` replace the whole list, `casualties` only the figures sent. A `severity` of null restores the value from the table. A `confidence` overrides the computed value until it is set to null. ' +
    'Severity and confidence are computed again. A changed confirmed incident gets the next version and appears in the feed. A `note` alone is kept in the history and changes nothing.',
  scope: 'review',
  pathParameters: incidentId,
  ...checkedVersion,
  body: Type.Object(
    {
      ...reportFields,
      type: Type.Optional(reportFields.type),
      occurred_at: Type.Optional(reportFields.occurred_at),
      confidence: Type.Optional(
        Nullable(Type.Number({ minimum: 0, maximum: 1, description: "An editor's judgement, published as such." })),
      ),
      note,
    },
    {
      additionalProperties: false,
      example: { casualties: { killed: 2 }, note: 'The hospital has confirmed two deaths.' },
    },
  ),
  response: movedResponse,
  problems: [...refusals, 'version_required'],
})
