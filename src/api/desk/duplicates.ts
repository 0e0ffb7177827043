import Type from 'typebox'
import {
  type ComparedPair,
  dismissDuplicate as dismiss,
  offerDuplicate as offer,
  readDismissedPairs,
  readOpenPairs,
} from '../../desk/duplicates.ts'
import { Problem } from '../../domain/errors.ts'
import { COMPARED_FIELD_NAMES, differingFields } from '../../domain/field-changes.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { COMPARISONS } from '../../domain/near-duplicates.ts'
import { limitParameter } from '../../filter/parameters.ts'
import { timeText } from '../../lib/time.ts'
import type { DismissalPosition, PairPosition, Store } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, NamedObject, NamedPage, Nullable, NullableText, OneOf, Time } from '../contract/schema.ts'
import { invalidCursor, listParametersOf } from '../request.ts'
import type { Router } from '../router.ts'
import { changedResponse, DeskDecisions, deskDecision, deskResponse, incidentId, note, version } from './incident.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

const PAIR_LISTS = ['open', 'dismissed'] as const

NamedObject('DuplicatePair', {
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
  import_id: NullableText('The import that found the pair; null in the list of dismissed pairs.'),
  offered_at: Nullable(Time('When the import found it.')),
  dismissed_at: Nullable(Time('When an editor said that they are not the same; null for an open pair.')),
})

NamedPage('DuplicatePairList', 'DuplicatePair')

const listDuplicates = endpoint('listDuplicates', 'GET /v1/desk/duplicates', {
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
  response: ok('A page of pairs.', Type.Ref('DuplicatePairList')),
  problems: ['invalid_cursor', 'cursor_of_another_query'],
})

const pair = {
  pathParameters: { ...incidentId, other: 'The id of the other incident.' },
  body: Closed(
    {
      note,
      version,
      other_version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version of the other incident that you have read.' }),
      ),
    },
    { example: { note: 'Two attacks on one day.' } },
  ),
  bodyCheck: 'where given',
} as const

export const dismissDuplicate = deskDecision(
  'dismissDuplicate',
  'POST /v1/desk/incidents/{id}/duplicates/{other}/dismiss',
  {
    ...pair,
    response: {
      ...changedResponse,
      description: 'The incident in `id`, without the other among its possible duplicates.',
    },
    summary: 'Say that two incidents are not the same',
    description:
      'Neither incident changes; the histories of both have the step. The pair is not offered again, in neither direction, until a change of one of the two makes more speak for one event than today. `offer` takes it back.',
  },
)

export const offerDuplicate = deskDecision('offerDuplicate', 'POST /v1/desk/incidents/{id}/duplicates/{other}/offer', {
  ...pair,
  summary: 'Offer a dismissed pair again',
  description: 'Undoes `dismiss`, at any time.',
  response: { ...changedResponse, description: 'The incident in `id`.' },
})

export function duplicateRoutes(router: Router): void {
  const { clock } = router.environment
  const desk = new DeskDecisions(router)

  router.add(listDuplicates, async ({ request, services: { store } }) => {
    const { text, limit, choices } = listParametersOf(request, listDuplicates)
    const { pairs, cursor } = await readPage(choices.list ?? 'open', text('cursor'), limit, store)
    return { data: pairs.map((pair) => pairResponse(pair, clock())), has_more: cursor !== null, next_cursor: cursor }
  })

  for (const [declared, decide] of [
    [dismissDuplicate, dismiss],
    [offerDuplicate, offer],
  ] as const) {
    router.add(declared, (context) => {
      const other = { id: context.parameters.other, version: context.body?.other_version ?? null }
      return desk.decide(context, decide(other))
    })
  }
}

async function readPage(list: (typeof PAIR_LISTS)[number], cursor: string | null, limit: number, store: Store) {
  if (list === 'open') {
    const { pairs, next } = await readOpenPairs(cursor === null ? null : readOpenPairCursor(cursor), limit, store)
    return { pairs, cursor: next && openPairCursor(next) }
  }
  const { pairs, next } = await readDismissedPairs(cursor === null ? null : readDismissalCursor(cursor), limit, store)
  return { pairs, cursor: next && dismissalCursor(next) }
}

function pairResponse({ record, other, match, offer, dismissal }: ComparedPair, now: number) {
  return {
    incident: deskResponse(record, [], now),
    other: deskResponse(other, [], now),
    score: match.score,
    reasons: match.reasons,
    differs: differingFields(record.incident, other.incident),
    import_id: offer?.importId ?? null,
    offered_at: offer && timeText(offer.offeredAt),
    dismissed_at: dismissal && timeText(dismissal.dismissedAt),
  }
}

const SEPARATOR = '~'

function openPairCursor({ importId, score, incidentId, otherId }: PairPosition): string {
  return ['open', importId, score, incidentId, otherId].join(SEPARATOR)
}

function dismissalCursor({ dismissedAt, oneId, otherId }: DismissalPosition): string {
  return ['dismissed', dismissedAt, oneId, otherId].join(SEPARATOR)
}

/** Throws a `Problem` if the text is no cursor of open pairs. */
function readOpenPairCursor(text: string): PairPosition {
  const [list, importId = '', score = '', incidentId = '', otherId = '', ...rest] = text.split(SEPARATOR)
  if (list === 'dismissed') throw cursorOfAnotherList()
  const isValid =
    list === 'open' && rest.length === 0 && isIdentifier('import', importId) && /^[01](\.\d{1,17})?$/.test(score)
  if (!isValid || !areIncidents(incidentId, otherId)) throw invalidCursor()
  return { importId, score: Number(score), incidentId, otherId }
}

/** Throws a `Problem` if the text is no cursor of dismissed pairs. */
function readDismissalCursor(text: string): DismissalPosition {
  const [list, dismissedAt = '', oneId = '', otherId = '', ...rest] = text.split(SEPARATOR)
  if (list === 'open') throw cursorOfAnotherList()
  const isValid = list === 'dismissed' && rest.length === 0 && /^\d{1,15}$/.test(dismissedAt)
  if (!isValid || !areIncidents(oneId, otherId)) throw invalidCursor()
  return { dismissedAt: Number(dismissedAt), oneId, otherId }
}

function areIncidents(...ids: readonly string[]): boolean {
  return ids.every((id) => isIdentifier('incident', id))
}

function cursorOfAnotherList(): Problem {
  const message = 'belongs to the other list; name that, or start without a cursor'
  return new Problem('cursor_of_another_query', `The cursor ${message}.`, {
    errors: [{ parameter: 'cursor', message }],
  })
}
