import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { DeskIncident } from '../../../client/src/generated/types.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import type { Archive } from '../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import {
  type ComputeChanges,
  changeIncident,
  type Decision,
  loadIncident,
  type ModeratedIncident,
  moderatedIncidentOf,
} from '../../desk/decision.ts'
import { Dismissals, duplicateCandidates, type FindPublished, type PossibleDuplicate } from '../../desk/duplicates.ts'
import { ownEmail } from '../../domain/accounts.ts'
import { Problem } from '../../domain/errors.ts'
import { differingFields } from '../../domain/field-changes.ts'
import type { Incident } from '../../domain/incident.ts'
import {
  type Actor,
  type Claim,
  type HistoryEntry,
  liveClaim,
  type ModerationRecord,
  originOf,
  type Undo,
  undoOf,
} from '../../domain/moderation.ts'
import { singleLine } from '../../domain/summary.ts'
import type {
  Desk,
  DeskChange,
  IncidentChange,
  IncidentRecord,
  Incidents,
  PairDismissal,
  Store,
  WritableStore,
} from '../../store/store.ts'
import { type Endpoint, endpointsOf } from '../contract/endpoint.ts'
import { Nullable } from '../contract/schema.ts'
import { type Answer, sendAnswer } from '../idempotency.ts'
import { QueryClient } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { RequestContext, Router } from '../router.ts'
import type { Environment, Services } from '../services.ts'

export const incidentId = { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' }

export const note = Type.Optional(
  Nullable(Type.String({ maxLength: 1000, description: 'The reason; kept in the history, not published.' })),
)

export const version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version that you have read; the same as `If-Match`.' }),
)

export const refusals = [
  'invalid_body',
  'malformed_request',
  'not_found',
  'not_in_this_state',
  'claimed_by_another',
  'stale_version',
] as const

export const changedResponse = {
  status: 200,
  description: 'The incident after the change; `desk.undo` tells what undoes it.',
  schema: Type.Ref('DeskIncident'),
  headers: { ETag: 'The version; send it back as `If-Match`.' },
} as const

/** A change of one incident, which the answer shows. */
const change = {
  tag: 'Desk',
  scope: 'review',
  pathParameters: incidentId,
  response: changedResponse,
  problems: refusals,
} as const
export const deskChange = endpointsOf(change)

/** A decision on one incident: `If-Match` names the version that was read. */
export const deskDecision = endpointsOf({ ...change, requestHeaders: ['If-Match'] })

type DecisionContext = Pick<RequestContext<Endpoint>, 'request' | 'reply' | 'services' | 'storeWith'> & {
  readonly parameters: { readonly id: string }
  readonly body: { readonly note?: string | null; readonly version?: number } | undefined
}

/** Answers the decisions of editors: what one writes is saved together with its answer. */
export class DeskDecisions {
  readonly #environment: Environment

  constructor({ environment }: Router) {
    this.#environment = environment
  }

  /** Saves the changes of a decision; the answer shows the incident, or `shown`. */
  async decide(
    context: DecisionContext,
    compute: ComputeChanges,
    { shown = context.parameters.id, status = 200 }: { shown?: string; status?: 200 | 201 } = {},
  ) {
    const { request, reply, parameters, body, services, storeWith } = context
    const { clock } = this.#environment
    let answer: Answer<DeskIncident> | null = null
    await changeIncident(parameters.id, compute, this.decision(request, body), services.store, async (changes) => {
      // Nothing changes: the incident is shown as it is.
      if (changes.length === 0) {
        answer = answerOf(await this.#current(reply, shown, services), status)
        return
      }
      const published = this.published(services, reply)
      answer = answerOf(await changedDeskResponse(shown, changes, services.store, published, clock()), status)
      await storeWith(answer).incidents.save(changes, clock())
    })
    return sendAnswer(reply, answer!)
  }

  /** Writes a claim; the answer shows the incident with it. */
  async decideClaim(
    { request, reply, parameters, services, storeWith }: Omit<DecisionContext, 'body'>,
    carryOut: (
      id: string,
      decision: Decision,
      store: Store,
      answered: (state: ModeratedIncident) => Promise<Pick<WritableStore, 'desk'>>,
    ) => Promise<void>,
  ) {
    let answer: Answer<DeskIncident> | null = null
    await carryOut(parameters.id, this.decision(request, undefined), services.store, async (state) => {
      answer = answerOf(await this.#shown(reply, state, services))
      return storeWith(answer)
    })
    return sendAnswer(reply, answer!)
  }

  async show(reply: FastifyReply, id: string, services: Services) {
    return sendAnswer(reply, answerOf(await this.#current(reply, id, services)))
  }

  published(services: Services, reply: FastifyReply): FindPublished {
    const { clock, queries } = this.#environment
    return publishedSourceOf(services.archive, queries, new QueryClient(reply.request, reply), clock())
  }

  /** `version` in the body is the same as `If-Match`. */
  decision(request: FastifyRequest, body: DecisionContext['body']): Decision {
    return {
      by: actorOf(request.caller!),
      note: singleLine(body?.note ?? '') || null,
      expected: parseIfMatch(request) ?? body?.version ?? null,
      now: this.#environment.clock(),
    }
  }

  async #current(reply: FastifyReply, id: string, services: Services) {
    return this.#shown(reply, await loadIncident(id, services.store), services)
  }

  async #shown(reply: FastifyReply, state: ModeratedIncident, services: Services) {
    const published = this.published(services, reply)
    const [response] = await deskResponses([state], services.store, published, this.#environment.clock())
    return withUndo(response!, await services.store.incidents.history(state.incident.id))
  }
}

function answerOf(incident: DeskIncident, status: 200 | 201 = 200): Answer<DeskIncident> {
  return { status, headers: { etag: `"${incident.version}"` }, body: incident }
}

/** The version that the caller saw; null for `*`, undefined without the header. */
export function parseIfMatch(request: FastifyRequest): number | null | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return null
  const version = /^"(\d{1,9})"$/.exec(header.trim())?.[1]
  if (version === undefined) throw new Problem('malformed_request', 'If-Match takes a version in quotes, as "3", or *.')
  return Number(version)
}

/** An incident as it will be once the changes are saved, for an answer stored with them. */
async function changedDeskResponse(
  id: string,
  changes: readonly IncidentChange[],
  store: Store,
  published: FindPublished,
  now: number,
) {
  const change = changes.find(({ incident }) => incident.id === id)!
  const changed = new Set(changes.map((each) => each.incident.id))
  const openReports: Incidents['openReports'] = async (from, to, limit) =>
    (await store.incidents.openReports(from, to, limit)).filter((report) => !changed.has(report.id))
  const record = {
    incident: change.incident,
    moderation: change.moderation ?? null,
    claim: await claimAfter(change, store),
  }
  const desk = { dismissalsOf: async (ids: readonly string[]) => dismissalsAfter(changes, ids, store, now) }
  const [response] = await deskResponses([record], { incidents: { openReports }, desk }, published, now)
  return withUndo(response!, change.historyEntry ? [change.historyEntry] : [])
}

/** A change of status ends the claim. */
async function claimAfter({ incident, replaces }: IncidentChange, store: Store): Promise<Claim | null> {
  if (replaces?.status !== incident.status) return null
  const [record] = await store.incidents.findRecords([incident.id])
  return record?.claim ?? null
}

async function dismissalsAfter(
  changes: readonly IncidentChange[],
  ids: readonly string[],
  store: Store,
  now: number,
): Promise<PairDismissal[]> {
  const decided = changes.flatMap(({ pair }) => pair ?? [])
  const standing = (await store.desk.dismissalsOf(ids)).filter(
    ({ oneId, otherId }) => !decided.some((pair) => pair.oneId === oneId && pair.otherId === otherId),
  )
  const added = decided.flatMap(({ oneId, otherId, dismissal }) =>
    dismissal === null ? [] : [{ oneId, otherId, ...dismissal, dismissedAt: now }],
  )
  return [...standing, ...added]
}

/** Adds how the last step of the history can be undone. */
function withUndo<Response extends DeskResponse>(response: Response, history: readonly HistoryEntry[]) {
  return { ...response, desk: { ...response.desk, undo: undoResponse(response.id, undoOf(history)) } }
}

export function undoResponse(id: string, undo: Undo | null) {
  return undo && { ...undo, path: `/v1/desk/incidents/${id}/undo` }
}

/** Adds moderation data and possible duplicates to each incident. */
export async function deskResponses(
  records: readonly IncidentRecord[],
  store: { readonly incidents: Pick<Incidents, 'openReports'>; readonly desk: Pick<Desk, 'dismissalsOf'> },
  published: FindPublished,
  now: number,
) {
  const open = records.map(({ incident }) => incident).filter(isComparedAtDesk)
  const dismissals = open.length === 0 ? [] : await store.desk.dismissalsOf(open.map(({ id }) => id))
  const duplicates = await duplicateCandidates(open, published, store.incidents, new Dismissals(dismissals))
  return records.map((record) => deskResponse(record, duplicates.get(record.incident.id) ?? [], now))
}

/** Reports, and imported incidents, which other data sets may have too. */
function isComparedAtDesk({ status, dataset }: Incident): boolean {
  return status === 'reported' || (status === 'confirmed' && dataset !== undefined)
}

/** For a reporter, who must not see names of editors or the unpublished reports of others. */
export async function reporterResponses(
  records: readonly IncidentRecord[],
  store: Store,
  published: FindPublished,
  now: number,
) {
  const responses = await deskResponses(records, store, published, now)
  return responses.map(({ desk, ...incident }) => ({
    ...incident,
    desk: {
      ...desk,
      claim: null,
      possible_duplicates: desk.possible_duplicates.filter(({ status }) => status === 'confirmed'),
    },
  }))
}

type DeskResponse = ReturnType<typeof deskResponse>

export function deskResponse(record: IncidentRecord, duplicates: readonly PossibleDuplicate[], now: number) {
  const { incident, moderation, claim } = moderatedIncidentOf(record)
  const { merged_into: _, ...fields } = incident
  return {
    ...fields,
    desk: {
      origin: originOf(moderation),
      claim: claimResponse(claim, now),
      text: moderation.text,
      official_sources: moderation.official,
      severity_given: moderation.severity_given,
      merged_into: moderation.merged_into,
      merged_from: moderation.merged_from ?? [],
      source_id: moderation.imported?.source_id ?? null,
      reading: readingResponse(moderation),
      possible_duplicates: duplicates.map((duplicate) => duplicateResponse(incident, duplicate)),
    },
  }
}

/** Describes the reading of a story, with the words of its text. */
function readingResponse({ reading, text }: ModerationRecord) {
  if (reading === undefined) return null
  const evidence = reading.evidence.map((each) => ({ ...each, text: text?.slice(each.start, each.end) ?? '' }))
  return { ...reading, evidence }
}

/** Null if it has lapsed. */
export function claimResponse(claim: Claim | null, now: number) {
  const live = liveClaim(claim, now)
  return live && { by: { account_id: live.accountId, name: live.name }, until: timeResponse(live.until) }
}

function duplicateResponse(report: Incident, { incident, score, reasons }: PossibleDuplicate) {
  const { id, status, type, state, lga, location, occurred_at, time_precision, casualties, summary } = incident
  const { place } = location
  const differs = differingFields(report, incident)
  const compared = { type, state, lga, place, occurred_at, time_precision, casualties, summary }
  return { id, score, reasons, differs, status, ...compared }
}

/** Newest first. */
export function publishedSourceOf(archive: Archive, queries: SlicedQueries, asker: Asker, now: number): FindPublished {
  return async (filter, limit) => queries.run(archive, asker, (view) => view.newestIncidents(filter, limit, now))
}

export function deskChangeResponse({ revision, id, status, version, claim }: DeskChange, now: number) {
  return { revision, id, status, version, claim: claimResponse(claim, now) }
}

export function historyEntryResponse({ at, ...entry }: HistoryEntry) {
  return { ...entry, at: timeResponse(at) }
}

/**
 * Names the person of a session, else the key by the name that its owner gave it. Shown at the desk
 * and in the audit log only.
 */
export function actorOf({ key, account, session }: KeyHolder): Actor {
  const person = account.name ?? ownEmail(account)
  const name = (session ? (person ?? key.name) : (key.name ?? account.name)) ?? `key …${key.hint}`
  return { key_id: key.id, account_id: account.id, name }
}
