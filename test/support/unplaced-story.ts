import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../src/domain/identifier.ts'
import type { Store } from '../../src/store/store.ts'
import { anItem, anItemWrite } from '../store/source-fixtures.ts'

const OWNER = 'a test'

/** Saves a story without a place, found so much later than now; returns its id. */
export async function addUnplacedStory({ sources }: Store, laterMs = 0): Promise<string> {
  const now = Date.now()
  await sources.lease(OWNER, now, now + 1000)
  const id = newIdentifier('item', now, randomBytes)
  const item = anItem(1, { id, state: 'no_place', firstSeenAt: now + laterMs })
  const unplaced = { publisher: 'Herald', text: 'Gunmen killed four farmers on their fields.' }
  assert.equal(await sources.saveItem(OWNER, anItemWrite(1, { item, unplaced }), now), true)
  await sources.release(OWNER)
  return id
}
