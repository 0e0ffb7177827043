import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { loadIncident } from '../../desk/decision.ts'
import { acceptProposal, dismissProposal } from '../../desk/sources/proposals.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { COMPARISONS } from '../../domain/near-duplicates.ts'
import { PROPOSAL_STATES } from '../../domain/sources.ts'
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
import { DeskDecisions, deskDecision, incidentId, note, version } from '../desk/incident.ts'
import { sendAnswer } from '../idempotency.ts'
import { listParametersOf, pageOf } from '../request.ts'
import type { Router } from '../router.ts'
import { positionCursor, proposalResponse, readPositionCursor, storyResponse } from './sources.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

NamedObject('ProposedSource', {
  id: Text('Starts with `prp_`.'),
  incident_id: Text('The incident that the story seems to tell of.'),
  state: OneOf(PROPOSAL_STATES),
  proposed_at: Time('When the story was read.'),
  decided_at: Nullable(Time('When an editor decided.')),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'The probability that both are one event.' }),
  reasons: Type.Array(Type.Object({ reason: OneOf(COMPARISONS), finding: Type.String(), weight: Type.Number() }), {
    description: 'Why, and what speaks against it; as in `possible_duplicates`.',
  }),
  source: Type.Ref('Source'),
  summary: Type.String(),
  text: NullableText('The story.'),
  casualties: Type.Ref('Casualties'),
  occurred_at: Time('When it happened, by this story.'),
  place: Text('Where it happened, by this story.'),
})

NamedPage('ProposedSourceList', 'ProposedSource')

const pathParameters = { ...incidentId, proposal: 'The id of the proposed source, such as `prp_5x…`.' }

const listProposedSources = endpoint('listProposedSources', 'GET /v1/desk/proposed-sources', {
  summary: 'List proposed sources that need a decision',
  description: 'Stories of feeds that seem to tell of an incident that is known. Newest first.',
  query: pageParameters('Proposals', 200),
  response: ok('A page of proposals.', Type.Ref('ProposedSourceList')),
})

const listProposedSourcesOf = endpoint('listProposedSourcesOf', 'GET /v1/desk/incidents/{id}/proposed-sources', {
  summary: 'List the proposed sources of an incident',
  description: 'Open and decided ones, oldest first.',
  pathParameters: incidentId,
  response: ok('The proposals.', Type.Object({ data: Type.Array(Type.Ref('ProposedSource')) })),
})

const acceptProposedSource = deskDecision(
  'acceptProposedSource',
  'POST /v1/desk/incidents/{id}/proposed-sources/{proposal}/accept',
  {
    summary: 'Accept a proposed source',
    description:
      'Adds the source to the incident, whose confidence is computed again. If the incident is public, the next version is published.',
    pathParameters,
    body: Closed({ note, version }, { example: { note: 'The same attack.' } }),
    bodyCheck: 'where given',
  },
)

const dismissProposedSource = deskDecision(
  'dismissProposedSource',
  'POST /v1/desk/incidents/{id}/proposed-sources/{proposal}/dismiss',
  {
    summary: 'Dismiss a proposed source',
    description: 'The incident stays as it is. With `queue` the story becomes a report of its own.',
    pathParameters,
    body: Closed(
      {
        queue: Type.Optional(Flag('Whether the story tells of another incident, to be queued. Default: false.')),
        note,
        version,
      },
      { example: { queue: true, note: 'Another village.' } },
    ),
    bodyCheck: 'where given',
  },
)

export function storyRoutes(router: Router): void {
  const { clock } = router.environment
  const desk = new DeskDecisions(router)

  router.add(listProposedSources, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listProposedSources)
    const position = readPositionCursor('proposal', text('cursor'))
    const before = position && { proposedAt: position.at, id: position.id }
    const proposals = await store.sources.openProposals(before, limit + 1)
    return pageOf(proposals, limit, ({ proposedAt, id }) => positionCursor(proposedAt, id), proposalResponse)
  })

  router.add(listProposedSourcesOf, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.sources.proposalsFor(parameters.id)).map(proposalResponse) }
  })

  router.add(acceptProposedSource, (context) => desk.decide(context, acceptProposal(context.parameters.proposal)))

  router.add(dismissProposedSource, (context) =>
    desk.decide(context, dismissProposal(context.parameters.proposal, context.body?.queue === true)),
  )

  router.add(listUnplacedStories, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listUnplacedStories)
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

async function requireIncidents(ids: readonly string[], store: Store): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries())
    if (!isIdentifier('incident', id) || (await store.incidents.find(id)) === null)
      errors.push({ pointer: `/incident_ids/${index}`, message: 'is no incident' })
  if (errors.length > 0) throw invalidBody(errors)
}
