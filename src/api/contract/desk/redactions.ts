import Type from 'typebox'
import { MAX_WORD_LENGTH, MAX_WORDS, REDACTABLE_FIELD_NAMES, REDACTABLE_FIELDS } from '../../../domain/redaction.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const id = { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' }
const meanings = REDACTABLE_FIELD_NAMES.map((name) => `\`${name}\`: ${REDACTABLE_FIELDS[name]}`).join('; ')

export const Redaction = Named(
  'Redaction',
  Type.Object(
    {
      id: Type.String({ description: 'Such as `red_01jd8z0c5x…`.' }),
      incident_id: Type.String({ description: 'The incident that the request named.' }),
      incidents: Type.Array(Type.String(), { description: 'All incidents that lost content, by merges too.' }),
      at: Time('When the content was taken out.'),
      by: Type.Object({ key_id: Type.String(), name: Type.String() }),
      fields: Type.Array(OneOf(REDACTABLE_FIELD_NAMES)),
      found: Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'How often each of `words` was found, in their order. The words are not kept.',
      }),
      reason: Type.String(),
      erased_at: Nullable(
        Time('When overwritten content was removed from the database; null until then (docs/redaction.md).'),
      ),
    },
    { description: 'The fact of a redaction: what was taken out is not in it.' },
  ),
)

export const redactIncident = endpoint({
  id: 'redactIncident',
  method: 'POST',
  path: '/v1/desk/incidents/{id}/redact',
  tag: 'Desk',
  summary: 'Take content out of an incident for good',
  requestHeaders: ['If-Match'],
  description:
    'Removes content from every version, event, note and record of the incident, in any status: from lists, streams, `/v1/changes`, downloads and the history, and from what is sent again to webhooks. ' +
    `\`fields\` are taken out as a whole (${meanings}); \`all\` is every field. \`words\` are taken out of every text, in any case and spelling, and replaced by \`[redacted]\`; so they are in the incidents merged with it. ` +
    'Copies are told by `incident.updated`, or `incident.retracted`, with `"redacted": true`. This cannot be undone. docs/redaction.md says what it cannot reach.',
  scope: 'review',
  pathParameters: id,
  body: Type.Object(
    {
      fields: Type.Optional(Type.Array(OneOf(REDACTABLE_FIELD_NAMES), { maxItems: REDACTABLE_FIELD_NAMES.length })),
      all: Type.Optional(Type.Boolean({ description: 'Whether to take out every field.' })),
      words: Type.Optional(
        Type.Array(Type.String({ minLength: 2, maxLength: MAX_WORD_LENGTH }), {
          maxItems: MAX_WORDS,
          description: 'Exact words, such as the name of a victim. They are not stored.',
        }),
      ),
      reason: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Kept in the history. It must not contain the words.',
      }),
    },
    {
      additionalProperties: false,
      example: { words: ['Amina Bello'], reason: 'The family asked for the name to be removed.' },
    },
  ),
  response: { status: 200, description: 'The fact of the redaction.', schema: Type.Ref('Redaction') },
  problems: ['invalid_body', 'malformed_request', 'not_found', 'stale_version'],
})

export const listRedactions = endpoint({
  id: 'listRedactions',
  method: 'GET',
  path: '/v1/desk/incidents/{id}/redactions',
  tag: 'Desk',
  summary: "List an incident's redactions",
  description: 'The facts of all redactions that touched the incident, oldest first.',
  scope: 'review',
  pathParameters: id,
  query: {},
  response: {
    status: 200,
    description: 'All redactions.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Redaction')) }),
  },
  problems: ['invalid_parameter', 'not_found'],
})
