import Type from 'typebox'
import {
  DEFAULT_EVERY_MINUTES,
  ITEM_STATE_NAMES,
  MAX_EVERY_MINUTES,
  MAX_SOURCES,
  POLL_PROBLEM_CODES,
  SOURCE_KINDS,
  SOURCE_STATUSES,
} from '../../../domain/sources.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, pageParameters, Time } from '../schema.ts'

const amount = (description: string) => Type.Integer({ minimum: 0, description })

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'The https address of an RSS, Atom, RDF or JSON feed; the rules of webhook endpoints apply.',
  }),
  publisher: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Named as the publisher of every report from this source; it decides the weight (docs/confidence.md).',
  }),
  every_minutes: Type.Integer({
    minimum: 1,
    maximum: MAX_EVERY_MINUTES,
    description: `How often the feed is fetched. Default: ${DEFAULT_EVERY_MINUTES}.`,
  }),
  paused: Type.Boolean({ description: 'A paused source is not fetched.' }),
}

export const NewsSource = Named(
  'NewsSource',
  Type.Object({
    id: Type.String({ description: 'Starts with `src_`.' }),
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
          detail: Type.String({ description: 'What was seen.' }),
        }),
      ),
      moved_to: Nullable(Type.String({ description: 'Where a permanent redirect leads: change the address to it.' })),
      items: amount('Items that were read.'),
      queued: amount('Reports that were queued.'),
      proposed: amount('Further sources that were proposed.'),
      confirmed: amount('Reports of this source that are public.'),
    }),
  }),
)

export const NewsItem = Named(
  'NewsItem',
  Type.Object({
    id: Type.String({ description: 'Starts with `itm_`.' }),
    state: OneOf(ITEM_STATE_NAMES, 'What became of it; docs/sources.md explains each.'),
    title: Type.String(),
    url: Nullable(Type.String()),
    published_at: Nullable(Time('As the feed says.')),
    first_seen_at: Time('When it was found.'),
    incident_ids: Type.Array(Type.String(), { description: 'The incidents that it was queued as or proposed for.' }),
    duplicate_of: Nullable(Type.String({ description: 'The item that it repeats.' })),
  }),
)

export const NewsItemList = Named(
  'NewsItemList',
  Type.Object({
    data: Type.Array(Type.Ref('NewsItem')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

const admin = { tag: 'Admin', scope: 'admin' } as const
const sourceId = { id: 'The id of the source, such as `src_01jd8z0c5x…`.' }
const oneSource = { status: 200, description: 'The source.', schema: Type.Ref('NewsSource') } as const

export const listSources = endpoint({
  ...admin,
  id: 'listSources',
  method: 'GET',
  path: '/v1/admin/sources',
  summary: 'List news sources with their health',
  description: `All of them, at most ${MAX_SOURCES}, by publisher.`,
  query: {},
  response: {
    status: 200,
    description: 'The sources.',
    schema: Type.Object({ data: Type.Array(Type.Ref('NewsSource')) }),
  },
  problems: ['invalid_parameter'],
})

export const createSource = endpoint({
  ...admin,
  id: 'createSource',
  method: 'POST',
  path: '/v1/admin/sources',
  summary: 'Add a news source',
  description:
    'The feed is fetched at once and then at its interval, by one node. Each item becomes a report in the queue (`origin` `feed`), or is proposed as a further source of an incident that is known. Nothing is published without an editor.',
  body: Type.Object(
    { ...fields, every_minutes: Type.Optional(fields.every_minutes), paused: Type.Optional(fields.paused) },
    {
      additionalProperties: false,
      example: { url: 'https://example.org/feed', publisher: 'Zamfara Herald', every_minutes: 15 },
    },
  ),
  response: { ...oneSource, status: 201 },
  problems: ['invalid_body', 'source_exists', 'too_many_sources'],
})

export const readSource = endpoint({
  ...admin,
  id: 'readSource',
  method: 'GET',
  path: '/v1/admin/sources/{id}',
  summary: 'Read one news source',
  pathParameters: sourceId,
  query: {},
  response: oneSource,
  problems: ['invalid_parameter', 'not_found'],
})

export const changeSource = endpoint({
  ...admin,
  id: 'changeSource',
  method: 'PATCH',
  path: '/v1/admin/sources/{id}',
  summary: 'Change, pause or resume a news source',
  description: 'A source that is resumed or moved to another address is fetched at once.',
  pathParameters: sourceId,
  body: Type.Partial(Type.Object(fields), { additionalProperties: false, example: { paused: true } }),
  response: oneSource,
  problems: ['invalid_body', 'not_found', 'source_exists'],
})

export const removeSource = endpoint({
  ...admin,
  id: 'removeSource',
  method: 'DELETE',
  path: '/v1/admin/sources/{id}',
  summary: 'Remove a news source',
  description: 'Its reports stay. Added again, the feed brings nothing twice.',
  pathParameters: sourceId,
  response: { status: 204, description: 'The source has been removed.', schema: null },
  problems: ['not_found'],
})

export const listSourceItems = endpoint({
  ...admin,
  id: 'listSourceItems',
  method: 'GET',
  path: '/v1/admin/sources/{id}/items',
  summary: 'List the items of a news source',
  description: 'What was read, and what became of it. Newest first; items are kept for 90 days.',
  pathParameters: sourceId,
  query: {
    state: { description: 'Only items that this became of.', example: 'no_place', values: ITEM_STATE_NAMES },
    ...pageParameters('Items', 200),
  },
  response: { status: 200, description: 'A page of items.', schema: Type.Ref('NewsItemList') },
  problems: ['invalid_parameter', 'not_found', 'invalid_cursor'],
})
