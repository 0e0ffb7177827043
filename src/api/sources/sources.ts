import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { newSource, requireSource, sourcePatch } from '../../desk/sources/manage-source.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import {
  DEFAULT_EVERY_MINUTES,
  ITEM_STATE_NAMES,
  MAX_EVERY_MINUTES,
  MAX_SOURCES,
  NEVER_POLLED,
  POLL_PROBLEM_CODES,
  type ProposedSource,
  SOURCE_KINDS,
  SOURCE_STATUSES,
  type NewsItem as StoredItem,
  type NewsSource as StoredSource,
  statusOf,
  type UnplacedStory,
} from '../../domain/sources.ts'
import type { Store } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  Flag,
  NamedObject,
  NamedPage,
  Nullable,
  NullableText,
  OneOf,
  pageParameters,
  Text,
  Time,
} from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { invalidCursor, listParametersOf, pageOf } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'

const endpoint = endpointsOf({ tag: 'Admin', scope: 'admin' })

const amount = (description: string) => Type.Integer({ minimum: 0, description })

const fields = {
  url: Text('The https address of an RSS, Atom, RDF or JSON feed; the rules of webhook endpoints apply.', {
    minLength: 1,
    maxLength: 2048,
  }),
  publisher: Text(
    'Named as the publisher of every report from this source; it decides the weight (docs/confidence.md).',
    { minLength: 1, maxLength: 200 },
  ),
  every_minutes: Type.Integer({
    minimum: 1,
    maximum: MAX_EVERY_MINUTES,
    description: `How often the feed is fetched. Default: ${DEFAULT_EVERY_MINUTES}.`,
  }),
  paused: Flag('A paused source is not fetched.'),
}

NamedObject('NewsSource', {
  id: Text('Starts with `src_`.'),
  kind: OneOf(SOURCE_KINDS),
  ...fields,
  created_at: Time('When it was added.'),
  health: Type.Object({
    status: OneOf(SOURCE_STATUSES, '`failing`: the last fetch failed, and `problem` says why.'),
    last_fetched_at: Nullable(Time('The last attempt.')),
    last_succeeded_at: Nullable(Time('The last attempt that succeeded.')),
    last_new_at: Nullable(Time('When an item was found that was not known.')),
    next_fetch_at: Nullable(Time('When it is fetched next; null while it is paused.')),
    failures: amount('Failed attempts in a row.'),
    failing_since: Nullable(Time('When the first of them was.')),
    problem: Nullable(
      Type.Object({
        code: OneOf(POLL_PROBLEM_CODES, 'Why the last attempt failed; docs/sources.md explains each.'),
        detail: Text('What was seen.'),
      }),
    ),
    moved_to: NullableText('Where a permanent redirect leads: change the address to it.'),
    items: amount('Items that were read.'),
    queued: amount('Reports that were queued.'),
    proposed: amount('Further sources that were proposed.'),
    confirmed: amount('Reports of this source that are public.'),
  }),
})

NamedObject('NewsItem', {
  id: Text('Starts with `itm_`.'),
  state: OneOf(ITEM_STATE_NAMES, 'What became of it; docs/sources.md explains each.'),
  title: Type.String(),
  url: Nullable(Type.String()),
  published_at: Nullable(Time('As the feed says.')),
  first_seen_at: Time('When it was found.'),
  incident_ids: Type.Array(Type.String(), { description: 'The incidents that it was queued as or proposed for.' }),
  duplicate_of: NullableText('The item that it repeats.'),
})

NamedPage('NewsItemList', 'NewsItem')

const sourceId = { id: 'The id of the source, such as `src_01jd8z0c5x…`.' }
const oneSource = { status: 200, description: 'The source.', schema: Type.Ref('NewsSource') } as const

const listSources = endpoint('listSources', 'GET /v1/admin/sources', {
  summary: 'List news sources with their health',
  description: `All of them, at most ${MAX_SOURCES}, by publisher.`,
  response: ok('The sources.', Type.Object({ data: Type.Array(Type.Ref('NewsSource')) })),
})

const createSource = endpoint('createSource', 'POST /v1/admin/sources', {
  summary: 'Add a news source',
  description:
    'The feed is fetched at once and then at its interval, by one node. Each item becomes a report in the queue (`origin` `feed`), or is proposed as a further source of an incident that is known. Nothing is published without an editor.',
  body: Closed(
    { ...fields, every_minutes: Type.Optional(fields.every_minutes), paused: Type.Optional(fields.paused) },
    { example: { url: 'https://example.org/feed', publisher: 'Zamfara Herald', every_minutes: 15 } },
  ),
  response: { ...oneSource, status: 201 },
  problems: ['source_exists', 'too_many_sources'],
})

const readSource = endpoint('readSource', 'GET /v1/admin/sources/{id}', {
  summary: 'Read one news source',
  pathParameters: sourceId,
  response: oneSource,
})

const changeSource = endpoint('changeSource', 'PATCH /v1/admin/sources/{id}', {
  summary: 'Change, pause or resume a news source',
  description: 'A source that is resumed or moved to another address is fetched at once.',
  pathParameters: sourceId,
  body: Type.Partial(Type.Object(fields), { additionalProperties: false, example: { paused: true } }),
  response: oneSource,
  problems: ['source_exists'],
})

const removeSource = endpoint('removeSource', 'DELETE /v1/admin/sources/{id}', {
  summary: 'Remove a news source',
  description: 'Its reports stay. Added again, the feed brings nothing twice.',
  pathParameters: sourceId,
  response: { status: 204, description: 'The source has been removed.', schema: null },
})

const listSourceItems = endpoint('listSourceItems', 'GET /v1/admin/sources/{id}/items', {
  summary: 'List the items of a news source',
  description: 'What was read, and what became of it. Newest first; items are kept for 90 days.',
  pathParameters: sourceId,
  query: {
    state: { description: 'Only items that this became of.', example: 'no_place', values: ITEM_STATE_NAMES },
    ...pageParameters('Items', 200),
  },
  response: ok('A page of items.', Type.Ref('NewsItemList')),
})

const NOTHING_COUNTED = { items: 0, queued: 0, proposed: 0, confirmed: 0 }

export function sourceRoutes(router: Router): void {
  const { clock, guard } = router.environment

  router.add(listSources, async ({ services: { store } }) => ({
    data: (await store.sources.list()).map(sourceResponse),
  }))

  router.add(createSource, async ({ request, reply, body, storeWith }) => {
    const now = clock()
    const { urlKey, ...source } = await newSource(body, guard, request.caller!.account.id, now)
    const answer = {
      status: 201,
      body: sourceResponse({ ...source, polling: NEVER_POLLED, counts: NOTHING_COUNTED }),
    }
    const entry = auditEntryOf(request.caller!, { action: 'source.create', subject: source.id, after: body }, now)
    requireSource(
      await storeWith(answer)
        .withAudit(entry)
        .sources.add({ ...source, urlKey }, MAX_SOURCES),
    )
    return sendAnswer(reply, answer)
  })

  router.add(readSource, async ({ parameters, services: { store } }) =>
    sourceResponse(await findSource(store, parameters.id)),
  )

  router.add(changeSource, async ({ request, parameters, body, services: { store } }) => {
    const source = await findSource(store, parameters.id)
    const patch = await sourcePatch(source, body, guard, request.caller!.account.id, clock())
    const after = shownIn({ ...source, ...patch })
    const act = { action: 'source.change', subject: source.id, before: shownIn(source), after }
    const entry = auditEntryOf(request.caller!, act, clock())
    return sourceResponse(requireSource(await store.withAudit(entry).sources.change(source.id, patch)))
  })

  router.add(removeSource, async ({ request, reply, parameters, services: { store } }) => {
    const source = await findSource(store, parameters.id)
    const act = { action: 'source.remove', subject: source.id, before: shownIn(source) }
    const entry = auditEntryOf(request.caller!, act, clock())
    if (!(await store.withAudit(entry).sources.remove(source.id))) requireSource(null)
    reply.status(204)
  })

  router.add(listSourceItems, async ({ request, parameters, services: { store } }) => {
    const { text, limit, choices } = listParametersOf(request, listSourceItems)
    const position = readPositionCursor('item', text('cursor'))
    const before = position && { firstSeenAt: position.at, id: position.id }
    const { id } = await findSource(store, parameters.id)
    const items = await store.sources.listItems(id, choices.state, before, limit + 1)
    return pageOf(items, limit, ({ firstSeenAt, id }) => positionCursor(firstSeenAt, id), itemResponse)
  })
}

async function findSource(store: Store, id: string): Promise<StoredSource> {
  return requireSource(isIdentifier('source', id) ? await store.sources.find(id) : null)
}

function shownIn({ url, publisher, everyMinutes, paused }: StoredSource) {
  return { url, publisher, every_minutes: everyMinutes, paused }
}

function sourceResponse(source: StoredSource) {
  const { polling, counts } = source
  return {
    id: source.id,
    kind: source.kind,
    url: source.url,
    publisher: source.publisher,
    every_minutes: source.everyMinutes,
    paused: source.paused,
    created_at: timeResponse(source.createdAt),
    health: {
      status: statusOf(source),
      last_fetched_at: timeResponse(polling.polledAt),
      last_succeeded_at: timeResponse(polling.succeededAt),
      last_new_at: timeResponse(polling.newItemAt),
      next_fetch_at: source.paused ? null : timeResponse(source.dueAt),
      failures: polling.failures,
      failing_since: timeResponse(polling.failingSince),
      problem: polling.problem,
      moved_to: polling.movedTo,
      ...counts,
    },
  }
}

function itemResponse(item: StoredItem) {
  return {
    id: item.id,
    state: item.state,
    title: item.title,
    url: item.url,
    published_at: timeResponse(item.publishedAt),
    first_seen_at: timeResponse(item.firstSeenAt),
    incident_ids: item.incidentIds,
    duplicate_of: item.duplicateOf,
  }
}

export function proposalResponse(proposal: ProposedSource) {
  const { incident, moderation } = proposal.report
  const { location, lga, state } = incident
  return {
    id: proposal.id,
    incident_id: proposal.incidentId,
    state: proposal.state,
    proposed_at: timeResponse(proposal.proposedAt),
    decided_at: timeResponse(proposal.decidedAt),
    score: proposal.score,
    reasons: proposal.reasons,
    source: incident.sources[0]!,
    summary: incident.summary,
    text: moderation.text,
    casualties: incident.casualties,
    occurred_at: incident.occurred_at,
    place: [location.place, lga, state].filter((name) => name !== null).join(', '),
  }
}

export function storyResponse(story: UnplacedStory) {
  return {
    id: story.id,
    source_id: story.sourceId,
    publisher: story.publisher,
    title: story.title,
    url: story.url,
    text: story.text,
    published_at: timeResponse(story.publishedAt),
    found_at: timeResponse(story.foundAt),
    incident_ids: story.incidentIds,
  }
}

export function positionCursor(at: number, id: string): string {
  return `${at}.${id}`
}

/** Throws a `Problem` if the text is not a cursor; null without one. */
export function readPositionCursor(noun: 'item' | 'proposal', text: string | null): { at: number; id: string } | null {
  if (text === null) return null
  const [at = '', id = ''] = text.split('.')
  if (!/^\d{1,15}$/.test(at) || !isIdentifier(noun, id)) throw invalidCursor()
  return { at: Number(at), id }
}
