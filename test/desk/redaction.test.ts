import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { coarsePointIn, RedactionCleanup, redactIncident } from '../../src/desk/redaction.ts'
import { openGeography } from '../../src/geo/geography.ts'
import type { Store } from '../../src/store/store.ts'
import { created, NOW } from '../store/fixtures.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { incidentId } from '../support/incident.ts'

const ERASING_MS = 1000

/** A store whose erasing takes a second of the stopwatch and is counted. */
async function openScene() {
  const store = await openMemoryStore()
  const scene = { erasures: 0, time: 0, fails: false, savedStays: false }
  const erase = async () => {
    scene.time += ERASING_MS
    if (scene.fails) throw new Error('the log is being read')
    await store.redactions.erase()
    scene.erasures++
  }
  const eraseSaved = async () => {
    if (scene.savedStays) throw new Error('the folder is read-only')
  }
  const counted = { redactions: { ...store.redactions, erase } }
  const cleanup = new RedactionCleanup({ store: counted, eraseSaved, clock: () => NOW, stopwatch: () => scene.time })
  return { store, scene, cleanup, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

async function redact(store: Store, number: number): Promise<void> {
  await store.incidents.save([created(number, { summary: 'Hauwa Tsamiya' })], NOW)
  const by = { key_id: 'key_1', account_id: 'acc_1', name: 'Desk' }
  const decision = { by, reason: 'Asked for.', expected: null, now: NOW }
  const request = { fields: [], words: ['Hauwa Tsamiya'] }
  const point = coarsePointIn(openGeography(null))
  await redactIncident(incidentId(number), request, decision, store, point, (write) =>
    store.redactions.apply(write, NOW),
  )
}

async function isErased(store: Store, number: number): Promise<boolean> {
  return (await store.redactions.list(incidentId(number)))[0]!.erasedAt !== null
}

describe('the cleanup after redactions', () => {
  it('erases once for all redactions that came in meanwhile', async () => {
    await using opened = await openScene()
    const { store, scene, cleanup } = opened
    await redact(store, 1)
    const first = cleanup.run()
    await redact(store, 2)
    await redact(store, 3)
    scene.time = 1_000_000
    await Promise.all([first, cleanup.run(), cleanup.run(), cleanup.run()])
    assert.ok(scene.erasures <= 2, `${scene.erasures}`)
  })

  it('erases for a twentieth of the time at most; what waits stays on the list', async () => {
    await using opened = await openScene()
    const { store, scene, cleanup } = opened
    await redact(store, 1)
    await cleanup.run()
    assert.equal(await isErased(store, 1), true)
    await redact(store, 2)
    scene.time += 19 * ERASING_MS - 1
    await cleanup.run()
    assert.deepEqual([scene.erasures, await isErased(store, 2)], [1, false])
    scene.time += 1
    await cleanup.run()
    assert.deepEqual([scene.erasures, await isErased(store, 2)], [2, true])
  })

  it('is not over while the saved archive could not be deleted', async () => {
    await using opened = await openScene()
    const { store, scene, cleanup } = opened
    await redact(store, 1)
    scene.savedStays = true
    await assert.rejects(cleanup.run(), /read-only/)
    assert.equal(await isErased(store, 1), false)
    scene.savedStays = false
    scene.time += 19 * ERASING_MS
    await cleanup.run()
    assert.equal(await isErased(store, 1), true)
  })

  it('tries again after a failure, and later too', async () => {
    await using opened = await openScene()
    const { store, scene, cleanup } = opened
    await redact(store, 1)
    scene.fails = true
    await assert.rejects(cleanup.run(), /being read/)
    scene.fails = false
    await cleanup.run()
    assert.equal(await isErased(store, 1), false)
    scene.time += 19 * ERASING_MS
    await cleanup.run()
    assert.equal(await isErased(store, 1), true)
  })
})
