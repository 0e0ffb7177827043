import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Store } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, NamedObject, NamedPage, Nullable, pageParameters, Text, Time } from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { pageOf, pageSizeIn, parametersOf } from '../request.ts'
import type { Router } from '../router.ts'
import { positionCursor, readPositionCursor, storyResponse } from './sources.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

NamedObject('UnplacedStory', {
  id: Text('The id of the item of the feed; starts with `itm_`.'),
  source_id: Type.String(),
  publisher: Type.String(),
  title: Type.String(),
  url: Nullable(Type.String()),
  text: Text('The story, with its title. `POST /v1/desk/extract` reads it.'),
  published_at: Nullable(Time('As the feed says.')),
  found_at: Time('When it was read.'),
  incident_ids: Type.Array(Type.String(), {
    description: 'What the story was queued as or proposed for, where it reports another incident with a place.',
  }),
})

NamedPage('UnplacedStoryList', 'UnplacedStory')

const listUnplacedStories = endpoint('listUnplacedStories', 'GET /v1/desk/unplaced-stories', {
  summary: 'List stories without a place',
  description:
    'Stories of feeds that report an incident, but no place that is certain. Newest first, until an editor closes them; the longest for 90 days after the feed has last shown them.',
  query: pageParameters('Stories', 200),
  response: ok('A page of stories.', Type.Ref('UnplacedStoryList')),
})

const closeUnplacedStory = endpoint('closeUnplacedStory', 'POST /v1/desk/unplaced-stories/{id}/close', {
  summary: 'Close a story without a place',
  description:
    'Its text is forgotten. Name the incidents that were filed from it: the item keeps them, so that a redaction of one of them reaches the title too.',
  pathParameters: { id: 'The id of the story, such as `itm_5x…`.' },
  body: Closed(
    {
      incident_ids: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 10,
          uniqueItems: true,
          description: 'The incidents that were filed from the story. Default: none; the story is dismissed.',
        }),
      ),
    },
    { example: { incident_ids: [] } },
  ),
  bodyCheck: 'where given',
  response: { status: 204, description: 'The story is closed.', schema: null },
})

const MAX_PAGE_SIZE = 200

export function unplacedStoryRoutes(router: Router): void {
  const { geography, clock } = router.environment

  router.add(listUnplacedStories, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listUnplacedStories, geography.places)
    const limit = pageSizeIn(text('limit'), MAX_PAGE_SIZE)
    const position = readPositionCursor('item', text('cursor'))
    const before = position && { foundAt: position.at, id: position.id }
    const stories = await store.sources.openStories(before, limit + 1)
    return pageOf(stories, limit, ({ foundAt, id }) => positionCursor(foundAt, id), storyResponse)
  })

  router.add(closeUnplacedStory, async ({ request, reply, parameters: { id }, body, services, storeWith }) => {
    const incidentIds = body?.incident_ids ?? []
    await requireIncidents(incidentIds, services.store)
    const act = { action: 'story.close', subject: id, after: { incident_ids: incidentIds } }
    const answer = { status: 204, body: undefined }
    const { sources } = storeWith(answer).withAudit(auditEntryOf(request.caller!, act, clock()))
    if (!isIdentifier('item', id) || !(await sources.closeStory(id, incidentIds)))
      throw new Problem('not_found', 'There is no such story, or it is closed already.')
    return sendAnswer(reply, answer)
  })
}

async function requireIncidents(ids: readonly string[], store: Store): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries())
    if (!isIdentifier('incident', id) || (await store.incidents.find(id)) === null)
      errors.push({ pointer: `/incident_ids/${index}`, message: 'is no incident' })
  if (errors.length > 0) throw invalidBody(errors)
}
