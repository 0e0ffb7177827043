import { EMPTY_MODERATION_RECORD } from '../../src/domain/moderation.ts'
import type { NewsItem, ProposedSource } from '../../src/domain/sources.ts'
import type { ItemWrite, NewSource } from '../../src/store/store.ts'
import { anIncident } from '../support/incident.ts'
import { NOW } from './fixtures.ts'

export const MAX = 10

export function aSource(number = 1, changes: Partial<NewSource> = {}): NewSource {
  return {
    id: `src_${number}`,
    kind: 'feed',
    url: `https://news.example.org/${number}`,
    urlKey: `key ${number}`,
    publisher: `Herald ${number}`,
    everyMinutes: 15,
    paused: false,
    createdAt: NOW,
    dueAt: NOW,
    ...changes,
  }
}

export function anItem(number = 1, changes: Partial<NewsItem> = {}): NewsItem {
  return {
    id: `itm_${number}`,
    sourceId: 'src_1',
    state: 'no_incident',
    title: `Story ${number}`,
    url: `https://news.example.org/story/${number}`,
    publishedAt: NOW - 1000,
    firstSeenAt: NOW + number,
    incidentIds: [],
    duplicateOf: null,
    ...changes,
  }
}

export function anItemWrite(number = 1, changes: Partial<ItemWrite> = {}): ItemWrite {
  return {
    item: anItem(number),
    urlKey: `story ${number}`,
    fingerprint: null,
    bands: [],
    gist: '',
    reports: [],
    proposals: [],
    unplaced: null,
    ...changes,
  }
}

export function aProposal(number = 1, changes: Partial<ProposedSource> = {}): ProposedSource {
  return {
    id: `prp_${number}`,
    incidentId: anIncident(1).id,
    itemId: `itm_${number}`,
    state: 'open',
    proposedAt: NOW + number,
    decidedAt: null,
    score: 0.8,
    reasons: [{ reason: 'lga', finding: 'same', weight: 2 }],
    report: { incident: anIncident(100 + number), moderation: { ...EMPTY_MODERATION_RECORD, text: 'A story' } },
    ...changes,
  }
}
