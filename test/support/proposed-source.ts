import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../src/domain/identifier.ts'
import { EMPTY_MODERATION_RECORD } from '../../src/domain/moderation.ts'
import type { Store } from '../../src/store/store.ts'
import { anIncident } from './incident.ts'

const OWNER = 'a test'

/** Saves an item with a proposed source of an incident; returns the id of the proposal. */
export async function proposeSource(store: Store, incidentId: string, sourceId = 'src_1'): Promise<string> {
  const now = Date.now()
  await store.sources.lease(OWNER, now, now + 1000)
  const id = newIdentifier('proposal', now, randomBytes)
  const itemId = newIdentifier('item', now, randomBytes)
  const story = anIncident(9, { status: 'reported', confirmed_at: null, published_at: null })
  const report = {
    incident: { ...story, id: newIdentifier('incident', now, randomBytes) },
    moderation: { ...EMPTY_MODERATION_RECORD, text: 'A story' },
  }
  await store.sources.saveItem(
    OWNER,
    {
      item: {
        id: itemId,
        sourceId,
        state: 'proposed',
        title: 'A story',
        url: 'https://news.example.org/story',
        publishedAt: now,
        firstSeenAt: now,
        incidentIds: [incidentId],
        duplicateOf: null,
      },
      urlKey: null,
      fingerprint: null,
      bands: [],
      gist: '',
      reports: [],
      proposals: [
        {
          id,
          incidentId,
          itemId,
          state: 'open',
          proposedAt: now,
          decidedAt: null,
          score: 0.8,
          reasons: [{ reason: 'lga', finding: 'same', weight: 2 }],
          report,
        },
      ],
      unplaced: null,
    },
    now,
  )
  await store.sources.release(OWNER)
  return id
}
