import Type from 'typebox'
import { invalidBody } from '../../domain/errors.ts'
import { PRECISIONS, TIME_PRECISIONS } from '../../domain/incident.ts'
import { MATCHES } from '../../domain/places.ts'
import { EVIDENCE_FIELDS, MAX_STORY_LENGTH } from '../../domain/story.ts'
import { CATEGORY_NAMES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { runInSlices } from '../../lib/concurrency.ts'
import { parseTime } from '../../lib/time.ts'
import { extractInSteps } from '../../reading/extract.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, Count, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { QueryClient } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

const how = OneOf(MATCHES, 'By its name, by another name of the place, or by similar letters only.')
const score = Type.Number({ minimum: 0, maximum: 1 })

NamedObject('PlaceChoice', {
  name: Type.String(),
  how,
  state: Type.String(),
  lga: Nullable(Type.String()),
  lat: Type.Number(),
  lng: Type.Number(),
  precision: OneOf(PRECISIONS),
  radius_km: Type.Number(),
})

NamedObject(
  'Evidence',
  {
    field: OneOf(EVIDENCE_FIELDS),
    source: OneOf(['title', 'text'], 'Where the words stand.'),
    start: Count('The first character, counted from 0 in UTF-16 units.'),
    end: Count('The character after the last.'),
    text: Type.String(),
    score,
  },
  { description: 'The words that a field was read from.' },
)

NamedObject(
  'IncidentCandidate',
  {
    type: OneOf(TYPE_NAMES),
    category: OneOf(CATEGORY_NAMES),
    state: Nullable(Type.String()),
    lga: Nullable(Type.String()),
    lat: Nullable(Type.Number()),
    lng: Nullable(Type.Number()),
    precision: Nullable(OneOf(PRECISIONS)),
    radius_km: Nullable(Type.Number()),
    matched: Nullable(Type.Object({ name: Type.String(), how }, { description: 'What the place was matched to.' })),
    place_choices: Type.Array(Type.Ref('PlaceChoice'), {
      description: 'Where the place is a question, the places that the text may mean, best first.',
    }),
    occurred_at: Nullable(Time('When it happened.')),
    time_precision: Nullable(OneOf(TIME_PRECISIONS)),
    casualties: Type.Ref('Casualties'),
    score,
    evidence: Type.Array(Type.Ref('Evidence')),
  },
  { description: 'A proposed report. What the text does not say is null.' },
)

const extractIncidents = endpoint('extractIncidents', 'POST /v1/desk/extract', {
  summary: 'Read a story',
  description:
    'Proposes the reports that a text contains: type, place, time and casualties, each with the words it was read from. Stores nothing. A story that reports no incident has no candidates (docs/reading.md).',
  readsOnly: true,
  body: Closed(
    {
      text: Type.String({ minLength: 1, maxLength: MAX_STORY_LENGTH, description: 'The story as plain text.' }),
      title: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
      url: Type.Optional(
        Nullable(
          Text('The address of the story. One in a section such as `/sports/` has no candidates.', { maxLength: 2000 }),
        ),
      ),
      published_at: Type.Optional(
        Nullable(
          Text('An RFC 3339 time or a date. “On Tuesday” is relative to it; without it only full dates are read.', {
            maxLength: 40,
          }),
        ),
      ),
    },
    {
      example: {
        text: 'Bandits on Tuesday killed nine people in Maradun, Zamfara State.',
        published_at: '2026-11-11T09:00:00Z',
      },
    },
  ),
  response: ok(
    'The proposed reports, in the order of the text; often none.',
    Type.Object({ candidates: Type.Array(Type.Ref('IncidentCandidate')) }),
  ),
})

export function extractRoutes(router: Router): void {
  const { gazetteer } = router.environment.geography

  router.add(extractIncidents, async ({ request, reply, body }) => {
    const story = { ...body, published_at: publicationTime(body.published_at ?? null) }
    const asker = new QueryClient(request, reply)
    return { candidates: await runInSlices(extractInSteps(story, gazetteer), asker.subject, asker.signal()) }
  })
}

function publicationTime(text: string | null): string | null {
  if (text === null) return null
  const time = parseTime(text)
  if (time !== null) return timeResponse(time)
  const message = 'must be an RFC 3339 time or a date, as 2026-11-11T09:00:00+01:00'
  throw invalidBody([{ pointer: '/published_at', message }])
}
