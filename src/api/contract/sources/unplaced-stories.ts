import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, pageParameters, Time } from '../schema.ts'

export const UnplacedStory = Named(
  'UnplacedStory',
  Type.Object({
    id: Type.String({ description: 'The id of the item of the feed; starts with `itm_`.' }),
    source_id: Type.String(),
    publisher: Type.String(),
    title: Type.String(),
    url: Nullable(Type.String()),
    text: Type.String({ description: 'The story, with its title. `POST /v1/desk/extract` reads it.' }),
    published_at: Nullable(Time('As the feed says.')),
    found_at: Time('When it was read.'),
    incident_ids: Type.Array(Type.String(), {
      description: 'What the story was queued as or proposed for, where it reports another incident with a place.',
    }),
  }),
)

export const UnplacedStoryList = Named(
  'UnplacedStoryList',
  Type.Object({
    data: Type.Array(Type.Ref('UnplacedStory')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

const desk = { tag: 'Desk', scope: 'review' } as const

export const listUnplacedStories = endpoint({
  ...desk,
  id: 'listUnplacedStories',
  method: 'GET',
  path: '/v1/desk/unplaced-stories',
  summary: 'List stories without a place',
  description:
    'Stories of feeds that report an incident, but no place that is certain. Newest first, until an editor closes them; the longest for 90 days after the feed has last shown them.',
  query: pageParameters('Stories', 200),
  response: { status: 200, description: 'A page of stories.', schema: Type.Ref('UnplacedStoryList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const closeUnplacedStory = endpoint({
  ...desk,
  id: 'closeUnplacedStory',
  method: 'POST',
  path: '/v1/desk/unplaced-stories/{id}/close',
  summary: 'Close a story without a place',
  description:
    'Its text is forgotten. Name the incidents that were filed from it: the item keeps them, so that a redaction of one of them reaches the title too.',
  pathParameters: { id: 'The id of the story, such as `itm_5x…`.' },
  body: Type.Object(
    {
      incident_ids: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 10,
          uniqueItems: true,
          description: 'The incidents that were filed from the story. Default: none; the story is dismissed.',
        }),
      ),
    },
    { additionalProperties: false, example: { incident_ids: [] } },
  ),
  bodyCheck: 'where given',
  response: { status: 204, description: 'The story is closed.', schema: null },
  problems: ['invalid_body', 'not_found'],
})
