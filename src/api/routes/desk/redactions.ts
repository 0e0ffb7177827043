import { setTimeout as wait } from 'node:timers/promises'
import type { Redaction } from '../../../../client/src/generated/types.ts'
import { loadIncident } from '../../../desk/desk/moderated-incident.ts'
import { coarsePointIn } from '../../../desk/desk/redaction/coarse-point.ts'
import { redactIncident as redact } from '../../../desk/desk/redaction/redact.ts'
import { REDACTABLE_FIELD_NAMES, type RedactionRecord, type RedactionRequest } from '../../../domain/redaction.ts'
import { singleLine } from '../../../domain/summary.ts'
import { listRedactions, redactIncident } from '../../contract/desk/redactions.ts'
import { type Answer, sendAnswer } from '../../idempotency.ts'
import type { Router } from '../../router.ts'
import { parseIfMatch } from './moves.ts'
import { actorOf } from './response.ts'

/** A small database is cleaned before the answer; a large one afterwards. */
const WAIT_FOR_CLEANING_MS = 700
/** The answer has no content: a later redaction need not forget it. */
const NO_MENTIONS = ''

export function redactionRoutes(router: Router): void {
  const { clock, geography } = router.environment
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
      await Promise.race([cleaning, wait(WAIT_FOR_CLEANING_MS, undefined, { ref: false })])
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
    at: new Date(at).toISOString(),
    by: { key_id: by.key_id, name: by.name },
    fields,
    found,
    reason,
    erased_at: erasedAt === null ? null : new Date(erasedAt).toISOString(),
  }
}
