import Type from 'typebox'
import type { Redaction } from '../../../client/src/generated/types.ts'
import { loadIncident } from '../../desk/decision.ts'
import { coarsePointIn, redactIncident as redact } from '../../desk/redaction.ts'
import {
  MAX_WORD_LENGTH,
  MAX_WORDS,
  REDACTABLE_FIELD_NAMES,
  REDACTABLE_FIELDS,
  type RedactionRecord,
  type RedactionRequest,
} from '../../domain/redaction.ts'
import { singleLine } from '../../domain/summary.ts'
import { within } from '../../lib/runtime.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, Flag, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { type Answer, sendAnswer } from '../idempotency.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { actorOf, parseIfMatch } from './incident.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

const id = { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' }
const meanings = REDACTABLE_FIELD_NAMES.map((name) => `\`${name}\`: ${REDACTABLE_FIELDS[name]}`).join('; ')

NamedObject(
  'Redaction',
  {
    id: Text('Such as `red_01jd8z0c5x…`.'),
    incident_id: Text('The incident that the request named.'),
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
)

export const redactIncident = endpoint('redactIncident', 'POST /v1/desk/incidents/{id}/redact', {
  summary: 'Take content out of an incident for good',
  requestHeaders: ['If-Match'],
  description:
    'Removes content from every version, event, note and record of the incident, in any status: from lists, streams, `/v1/changes`, downloads and the history, and from what is sent again to webhooks. ' +
    `\`fields\` are taken out as a whole (${meanings}); \`all\` is every field. \`words\` are taken out of every text, in any case and spelling, and replaced by \`[redacted]\`; so they are in the incidents merged with it. ` +
    'Copies are told by `incident.updated`, or `incident.retracted`, with `"redacted": true`. This cannot be undone. docs/redaction.md says what it cannot reach.',
  pathParameters: id,
  body: Closed(
    {
      fields: Type.Optional(Type.Array(OneOf(REDACTABLE_FIELD_NAMES), { maxItems: REDACTABLE_FIELD_NAMES.length })),
      all: Type.Optional(Flag('Whether to take out every field.')),
      words: Type.Optional(
        Type.Array(Type.String({ minLength: 2, maxLength: MAX_WORD_LENGTH }), {
          maxItems: MAX_WORDS,
          description: 'Exact words, such as the name of a victim. They are not stored.',
        }),
      ),
      reason: Text('Kept in the history. It must not contain the words.', { minLength: 1, maxLength: 1000 }),
    },
    { example: { words: ['Amina Bello'], reason: 'The family asked for the name to be removed.' } },
  ),
  response: ok('The fact of the redaction.', Type.Ref('Redaction')),
  problems: ['stale_version'],
})

const listRedactions = endpoint('listRedactions', 'GET /v1/desk/incidents/{id}/redactions', {
  summary: "List an incident's redactions",
  description: 'The facts of all redactions that touched the incident, oldest first.',
  pathParameters: id,
  response: ok('All redactions.', Type.Object({ data: Type.Array(Type.Ref('Redaction')) })),
})

/** A small database is cleaned before the answer; a large one afterwards. */
const WAIT_FOR_CLEANING_MS = 700
/** The answer has no content: a later redaction need not forget it. */
const NO_MENTIONS = ''

export function redactionRoutes(router: Router): void {
  const { clock, runtime, geography } = router.environment
  const coarsePoint = coarsePointIn(geography)

  router.add(
    redactIncident,
    async ({ request, reply, parameters, body, services: { store, redactionCleanup }, storeWith }) => {
      const decision = {
        by: actorOf(request.caller!),
        reason: singleLine(body.reason),
        expected: parseIfMatch(request) ?? null,
        now: clock(),
      }
      let answer: Answer<Redaction> | null = null
      await redact(parameters.id, requestOf(body), decision, store, coarsePoint, async (write) => {
        answer = { status: 200, body: redactionResponse(write.record) }
        await storeWith(answer, NO_MENTIONS).redactions.apply(write, decision.now)
      })
      const cleaning = redactionCleanup
        .run()
        .catch((error: unknown) =>
          request.log.warn(
            { err: error },
            'what a redaction left behind could not be removed yet; it will be tried again',
          ),
        )
      await within(runtime, WAIT_FOR_CLEANING_MS, cleaning, () => {})
      return sendAnswer(reply, answer!)
    },
  )

  router.add(listRedactions, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.redactions.list(parameters.id)).map(redactionResponse) }
  })
}

interface RedactionBody extends Partial<RedactionRequest> {
  readonly all?: boolean
}

function requestOf({ fields = [], words = [], all = false }: RedactionBody): RedactionRequest {
  return { fields: all ? REDACTABLE_FIELD_NAMES : [...new Set(fields)], words: [...new Set(words)] }
}

function redactionResponse({ id, incidentId, incidentIds, at, by, fields, found, reason, erasedAt }: RedactionRecord) {
  return {
    id,
    incident_id: incidentId,
    incidents: incidentIds,
    at: timeResponse(at),
    by: { key_id: by.key_id, name: by.name },
    fields,
    found,
    reason,
    erased_at: timeResponse(erasedAt),
  }
}
