import {
  type NewsItem,
  type NewsSource,
  type ProposedSource,
  statusOf,
  type UnplacedStory,
} from '../../../domain/sources.ts'
import { timeResponse } from '../keys/response.ts'

export function sourceResponse(source: NewsSource) {
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
      last_fetched_at: timeOrNull(polling.polledAt),
      last_succeeded_at: timeOrNull(polling.succeededAt),
      last_new_at: timeOrNull(polling.newItemAt),
      next_fetch_at: source.paused ? null : timeResponse(source.dueAt),
      failures: polling.failures,
      failing_since: timeOrNull(polling.failingSince),
      problem: polling.problem,
      moved_to: polling.movedTo,
      ...counts,
    },
  }
}

export function itemResponse(item: NewsItem) {
  return {
    id: item.id,
    state: item.state,
    title: item.title,
    url: item.url,
    published_at: timeOrNull(item.publishedAt),
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
    decided_at: timeOrNull(proposal.decidedAt),
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
    published_at: timeOrNull(story.publishedAt),
    found_at: timeResponse(story.foundAt),
    incident_ids: story.incidentIds,
  }
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : timeResponse(time)
}
