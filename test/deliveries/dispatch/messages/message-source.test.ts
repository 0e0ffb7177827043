import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MessageSource } from '../../../../src/deliveries/dispatch/messages/message-source.ts'
import type { WatchEvent } from '../../../../src/domain/watch.ts'
import { created, NOW, retracted } from '../../../store/fixtures.ts'
import { openMemoryStore } from '../../../support/databases/memory-store.ts'

it('tells of a retraction at once, whatever was known of the incident a moment before', async () => {
  await using store = await openMemoryStore()
  let now = 0
  const source = new MessageSource(store, () => now)
  const read = async (eventSeq: number, kind: WatchEvent) =>
    (await source.readMessage({ eventSeq, kind, attempts: 0 } as never)).document
  await store.incidents.save([created(1)], NOW)
  assert.notEqual(await read(1, 'incident.created'), null)
  // Another process makes the delivery of the retraction: this one has not read the log.
  await store.incidents.save([retracted(1, 2)], NOW)
  now = 10
  assert.notEqual(await read(2, 'incident.retracted'), null)
  assert.equal(await read(1, 'incident.created'), null)
})
