import Type from 'typebox'
import { loadIncident } from '../../desk/decision.ts'
import { acceptProposal, dismissProposal } from '../../desk/sources/proposals.ts'
import { COMPARISONS } from '../../domain/near-duplicates.ts'
import { PROPOSAL_STATES } from '../../domain/sources.ts'
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
import { pageOf, pageSizeIn, parametersOf } from '../request.ts'
import type { Router } from '../router.ts'
import { positionCursor, proposalResponse, readPositionCursor } from './sources.ts'

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

const MAX_PAGE_SIZE = 200

export function proposalRoutes(router: Router): void {
  const { geography } = router.environment
  const desk = new DeskDecisions(router)

  router.add(listProposedSources, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listProposedSources, geography.places)
    const limit = pageSizeIn(text('limit'), MAX_PAGE_SIZE)
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
}
