import Type from 'typebox'
import type { BulkResults } from '../../../client/src/generated/types.ts'
import { type Amendment, amend } from '../../desk/amend.ts'
import {
  changeIncident,
  claimIncident as claim,
  type Decision,
  keepNote,
  type ModeratedIncident,
  releaseIncident as release,
} from '../../desk/decision.ts'
import { merge, unmerge } from '../../desk/merge.ts'
import { transition, undo } from '../../desk/transitions.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { STATUSES } from '../../domain/incident.ts'
import { BULK_MOVES, type BulkMove, MERGED_FIELDS, undoOf } from '../../domain/moderation.ts'
import { singleLine } from '../../domain/summary.ts'
import { eventLoopShare } from '../../lib/concurrency.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { endpointsOf } from '../contract/endpoint.ts'
import { Closed, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { problemBody } from '../problem.ts'
import { reportFields } from '../reports.ts'
import type { Router } from '../router.ts'
import {
  changedResponse,
  claimResponse,
  DeskDecisions,
  deskChange,
  deskDecision,
  note,
  parseIfMatch,
  refusals,
  undoResponse,
  version,
} from './incident.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

const noted = {
  body: Closed({ note, version }, { example: { note: 'Confirmed by the station.' } }),
  bodyCheck: 'where given',
} as const

const confirmIncident = deskDecision('confirmIncident', 'POST /v1/desk/incidents/{id}/confirm', {
  summary: 'Confirm a report',
  description:
    'Publishes the incident at once: in the list, to streams and to watches. `If-Match` may name the version that you reviewed. If several editors confirm at the same time, one succeeds; the others learn that it is already confirmed.',
  ...noted,
})

const rejectIncident = deskDecision('rejectIncident', 'POST /v1/desk/incidents/{id}/reject', {
  summary: 'Reject a report',
  description: 'The report stays unpublished and is kept with the reason. `reopen` undoes it.',
  ...noted,
})

const retractIncident = deskDecision('retractIncident', 'POST /v1/desk/incidents/{id}/retract', {
  summary: 'Retract a confirmed incident',
  description:
    'Removes the incident from the list and the map; reading it by id returns 410, and the feed announces the retraction. `restore` undoes it.',
  ...noted,
})

const reopenIncident = deskDecision('reopenIncident', 'POST /v1/desk/incidents/{id}/reopen', {
  summary: 'Reopen a rejected report',
  description: 'The report waits for a decision again.',
  ...noted,
})

const restoreIncident = deskDecision('restoreIncident', 'POST /v1/desk/incidents/{id}/restore', {
  summary: 'Restore a retracted incident',
  description:
    'Publishes the incident again, as its next version. Copies and streams get `incident.updated`; so do watches that list it. ' +
    'A watch on `incident.created` whose message was not delivered before the retraction gets that message now.',
  ...noted,
})

const side = OneOf(['this', 'other'], '`this` is the incident in the path, `other` the one in `into`.')

export const mergeIncident = deskDecision('mergeIncident', 'POST /v1/desk/incidents/{id}/merge', {
  summary: 'Merge an incident into another',
  description:
    'Merges a report or a confirmed incident (`this`) into another (`other`), which remains and is returned. It gets the sources, the casualties by source, and for each field in `take` the chosen value; otherwise it keeps its own. ' +
    'Nothing is lost: what was not taken stays readable in the merged incident and in the history, and differing casualties are added to `casualties_reported`. `unmerge` undoes it. ' +
    'If the merged incident was public, reading it by id returns 301 with the `Location` of the one that remains, and `GET /v1/changes` carries `merged_into`. A confirmed incident cannot be merged into a report.',
  body: Closed(
    {
      into: Text('The id of the incident that remains.'),
      take: Type.Optional(
        Closed(Object.fromEntries(MERGED_FIELDS.map((field) => [field, Type.Optional(side)])), {
          description: 'Whose value remains, by field. Default: `other`.',
        }),
      ),
      note,
      version,
      into_version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version of `into` that you have read. A stale one is refused.' }),
      ),
    },
    { example: { into: 'inc_01jd8z0c5x…', take: { casualties: 'this' } } },
  ),
  response: { ...changedResponse, description: 'The incident that remains.' },
})

export const unmergeIncident = deskDecision('unmergeIncident', 'POST /v1/desk/incidents/{id}/unmerge', {
  summary: 'Undo a merge',
  description:
    'Restores a merged incident, and takes from the one that it was merged into what it had brought. Refused with 409 if either was changed since: the detail says by what. Returns the restored incident.',
  ...noted,
  problems: [...refusals, 'changed_since'],
})

export const undoStep = deskDecision('undoStep', 'POST /v1/desk/incidents/{id}/undo', {
  summary: 'Undo the last step',
  description:
    'Undoes the step that `desk.undo` names: a rejection is reopened, a retraction restored, a merge undone, a confirmation retracted, a correction put back. Refused with 409 if the incident was changed since.',
  body: Closed(
    { step: Text('The id of the step, as in `desk.undo.step` or in the history.'), note },
    { example: { step: 'stp_01jd8z0c5xqvjv8y2kvhr3w1ad' } },
  ),
  problems: [...refusals, 'changed_since', 'not_undoable'],
})

const changeDesk = deskDecision('changeDesk', 'PATCH /v1/desk/incidents/{id}', {
  summary: 'Correct an incident',
  description:
    'Corrects a report or a confirmed incident; requires `If-Match: "<version>"`. Only the fields sent change. The location is replaced as a whole: if any of `lat`, `lng`, `state`, `lga`, `place` and `precision` is sent, ' +
    'the others are discarded. `sources` and `casualties_reported` replace the whole list, `casualties` only the figures sent. A `severity` of null restores the value from the table. A `confidence` overrides the computed value until it is set to null. ' +
    'Severity and confidence are computed again. A changed confirmed incident gets the next version and appears in the feed. A `note` alone is kept in the history and changes nothing.',
  body: Closed(
    {
      ...reportFields,
      type: Type.Optional(reportFields.type),
      occurred_at: Type.Optional(reportFields.occurred_at),
      confidence: Type.Optional(
        Nullable(Type.Number({ minimum: 0, maximum: 1, description: "An editor's judgement, published as such." })),
      ),
      note,
    },
    { example: { casualties: { killed: 2 }, note: 'The hospital has confirmed two deaths.' } },
  ),
  problems: [...refusals, 'version_required'],
})

NamedObject('Claim', {
  by: Type.Object({ account_id: Type.String(), name: Type.String() }),
  until: Time('When the claim lapses.'),
})

export const claimIncident = deskChange('claimIncident', 'POST /v1/desk/incidents/{id}/claim', {
  summary: 'Claim an incident',
  description:
    'Tells the others that you work on it. For 15 minutes nobody else can decide on it or correct it; claim it again to prolong that. A decision ends the claim. ' +
    'If another editor has claimed it, the answer is 409 with who and until when; `{"take_over": true}` takes the claim, which the history records.',
  body: Closed({ take_over: Type.Optional(Type.Boolean()) }, { example: {} }),
  bodyCheck: 'where given',
})

export const releaseIncident = deskChange('releaseIncident', 'POST /v1/desk/incidents/{id}/release', {
  summary: 'Release a claim',
  description:
    'Ends your claim. Without a claim, or after it has lapsed, nothing happens. The claim of another stays: 409.',
  problems: ['claimed_by_another'],
})

export const addNote = deskChange('addNote', 'POST /v1/desk/incidents/{id}/notes', {
  summary: 'Add a note',
  description: 'Keeps a note in the history of an incident in any status. It changes nothing and is not published.',
  body: Closed(
    { note: Type.String({ minLength: 1, maxLength: 1000 }) },
    { example: { note: 'Called the hospital; no answer yet.' } },
  ),
  response: { ...changedResponse, status: 201 },
  problems: [],
})

const MAX_BULK = 200

NamedObject('BulkResults', {
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
})

const moveInBulk = endpoint('moveInBulk', 'POST /v1/desk/bulk', {
  summary: 'Decide on many incidents',
  description: `Makes one move on up to ${MAX_BULK} incidents. Each has its own result and its own transaction: one that is refused does not affect the others.`,
  body: Closed(
    {
      ids: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MAX_BULK,
        description: 'Incidents, each named once.',
      }),
      move: OneOf(BULK_MOVES),
      note,
    },
    { example: { ids: ['inc_01jd8z0c5x…', 'inc_01jd8z0c5y…'], move: 'reject', note: 'Not a security incident.' } },
  ),
  response: { status: 207, description: 'The result for each incident.', schema: Type.Ref('BulkResults') },
})

export function decisionRoutes(router: Router): void {
  const { geography } = router.environment
  const desk = new DeskDecisions(router)

  router.add(changeDesk, async (context) => {
    if (parseIfMatch(context.request) === undefined)
      throw new Problem('version_required', 'Send If-Match: "<version>" with the version that you have read.')
    const { note: _, ...amendment } = context.body
    return desk.decide(context, amend(amendment as Amendment, geography))
  })

  for (const [name, declared] of [
    ['confirm', confirmIncident],
    ['reject', rejectIncident],
    ['retract', retractIncident],
    ['reopen', reopenIncident],
    ['restore', restoreIncident],
  ] as const) {
    router.add(declared, (context) => desk.decide(context, transition(name)))
  }

  router.add(mergeIncident, (context) => {
    const { into, take = {}, into_version: intoVersion = null } = context.body
    if (into === context.parameters.id) throw invalidBody([{ pointer: '/into', message: 'must be another incident' }])
    return desk.decide(context, merge({ into, take, intoVersion }), { shown: into })
  })

  router.add(unmergeIncident, (context) => desk.decide(context, unmerge))

  router.add(undoStep, (context) => desk.decide(context, undo(context.body.step)))

  router.add(claimIncident, (context) =>
    desk.decideClaim(context, (id, decision, store, answered) =>
      claim(id, context.body?.take_over === true, decision, store, answered),
    ),
  )

  router.add(releaseIncident, (context) => desk.decideClaim(context, release))

  router.add(addNote, (context) => {
    if (singleLine(context.body.note) === '') throw invalidBody([{ pointer: '/note', message: 'has no letter' }])
    return desk.decide(context, keepNote, { status: 201 })
  })

  router.add(moveInBulk, async ({ request, reply, body, services: { store } }) => {
    const { ids, move } = body
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
    if (repeated >= 0) throw invalidBody([{ pointer: `/ids/${repeated}`, message: 'is named twice' }])
    const decision = desk.decision(request, body)
    const data: BulkResults['data'][number][] = []
    let done = 0
    for (const id of ids) {
      // Each has its own transaction, and others take turns between two.
      await eventLoopShare.nextSlice(decision.by.key_id)
      try {
        data.push({ id, status: 200, incident: await moveOne(id, move, decision, store) })
        done++
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        data.push({ id, status: ERRORS[error.code].status, problem: problemBody(error, request.id) })
      }
    }
    reply.status(207)
    return { done, refused: ids.length - done, data }
  })
}

/** Shows the incident without its possible duplicates: finding those of 200 would take seconds. */
async function moveOne(id: string, move: BulkMove, decision: Decision, store: Store) {
  if (move === 'claim' || move === 'release') {
    let shown: ModeratedIncident | null = null
    const answered = async (state: ModeratedIncident) => {
      shown = state
      return store
    }
    if (move === 'claim') await claim(id, false, decision, store, answered)
    else await release(id, decision, store, answered)
    const state: ModeratedIncident = shown!
    return summaryOf(state.incident, claimResponse(state.claim, decision.now), null)
  }
  let saved: IncidentChange | null = null
  await changeIncident(id, transition(move), decision, store, async (changes) => {
    saved = changes[0]!
    await store.incidents.save(changes, decision.now)
  })
  const { incident, historyEntry } = saved!
  return summaryOf(incident, null, undoResponse(id, undoOf([historyEntry!])))
}

function summaryOf<Claim, Undo>({ id, status, version }: ModeratedIncident['incident'], claim: Claim, undo: Undo) {
  return { id, status, version, claim, undo }
}
