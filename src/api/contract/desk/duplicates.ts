import Type from 'typebox'
import { COMPARED_FIELD_NAMES } from '../../../domain/field-changes.ts'
import { COMPARISONS } from '../../../domain/near-duplicates.ts'
import { limitParameter } from '../../../filter/parameter-values.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { checkedVersion, incidentId, movedResponse, note, refusals, version } from './parameters.ts'

export const PAIR_LISTS = ['open', 'dismissed'] as const

export const DuplicatePair = Named(
  'DuplicatePair',
  Type.Object({
    incident: Type.Ref('DeskIncident'),
    other: Type.Ref('DeskIncident'),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The probability that both are one event, as they are now.',
    }),
    reasons: Type.Array(Type.Object({ reason: OneOf(COMPARISONS), finding: Type.String(), weight: Type.Number() }), {
      description: 'Why, and what speaks against it; as in `possible_duplicates`.',
    }),
    differs: Type.Array(OneOf(COMPARED_FIELD_NAMES), { description: 'The fields in which the two differ.' }),
    import_id: Nullable(
      Type.String({ description: 'The import that found the pair; null in the list of dismissed pairs.' }),
    ),
    offered_at: Nullable(Time('When the import found it.')),
    dismissed_at: Nullable(Time('When an editor said that they are not the same; null for an open pair.')),
  }),
)

export const DuplicatePairList = Named(
  'DuplicatePairList',
  Type.Object({
    data: Type.Array(Type.Ref('DuplicatePair')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

const desk = { tag: 'Desk', scope: 'review' } as const
const pathParameters = { ...incidentId, other: 'The id of the other incident.' }
const otherVersion = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version of the other incident that you have read.' }),
)

export const listDuplicates = endpoint({
  ...desk,
  id: 'listDuplicates',
  method: 'GET',
  path: '/v1/desk/duplicates',
  summary: 'List pairs of incidents that may be one event',
  description:
    'Pairs across data sets that imports have found: those of the newest import first, its likeliest first. A pair leaves the list when the two are merged, when one is rejected or retracted, ' +
    'when a correction makes them unlike, or when it is dismissed. The possible duplicates of reports are not listed here; each report has its own. ' +
    'One request looks at a limited number of pairs: a page may be short, or empty, with `has_more`; follow `next_cursor`. `possible_duplicates` of both is empty.',
  query: {
    list: {
      description: 'Default: `open`. `dismissed` lists pairs that an editor called different events, newest first.',
      example: 'open',
      values: PAIR_LISTS,
    },
    limit: limitParameter('Pairs', 100),
    cursor: { description: 'The `next_cursor` of the previous page, with the same `list`.', example: 'next_cursor' },
  },
  response: { status: 200, description: 'A page of pairs.', schema: Type.Ref('DuplicatePairList') },
  problems: ['invalid_parameter', 'invalid_cursor', 'cursor_of_another_query'],
})

const decision = {
  ...desk,
  ...checkedVersion,
  method: 'POST',
  pathParameters,
  body: Type.Object(
    { note, version, other_version: otherVersion },
    { additionalProperties: false, example: { note: 'Two attacks on one day.' } },
  ),
  bodyCheck: 'where given',
  response: { ...movedResponse, description: 'The incident in `id`, without the other among its possible duplicates.' },
  problems: refusals,
} as const

export const dismissDuplicate = endpoint({
  ...decision,
  id: 'dismissDuplicate',
  path: '/v1/desk/incidents/{id}/duplicates/{other}/dismiss',
  summary: 'Say that two incidents are not the same',
  description:
    'Neither incident changes; the histories of both have the step. The pair is not offered again, in neither direction, until a change of one of the two makes more speak for one event than today. `offer` takes it back.',
})

export const offerDuplicate = endpoint({
  ...decision,
  id: 'offerDuplicate',
  path: '/v1/desk/incidents/{id}/duplicates/{other}/offer',
  summary: 'Offer a dismissed pair again',
  description: 'Undoes `dismiss`, at any time.',
  response: { ...movedResponse, description: 'The incident in `id`.' },
})
