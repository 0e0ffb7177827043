import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Archive } from '../../src/archive/archive.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../src/filter/filter.ts'
import { ORDERS, type Order } from '../../src/filter/listing.ts'
import { matches } from '../../src/filter/matches.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, archiveIn, documentForm, emptyArchive, incidentsOn, type TestArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const NOW = EPOCH + 13 * DAY
const incidents = fc.array(incidentParts, { maxLength: 60 }).map((all) => all.map(incidentFrom))
const order = fc.constantFrom(...ORDERS)
const pageSize = fc.integer({ min: 1, max: 9 })

async function archiveOf(all: readonly Incident[], form: string): Promise<TestArchive> {
  const scene = await archiveIn(form)
  scene.archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
  await scene.toFiles()
  return scene
}

/** The expected result, by checking each incident. */
function expected(all: readonly Incident[], wanted: Filter, direction: Order): string[] {
  const found = all.filter((incident) => matches(wanted, indexedFieldsOf(incident), NOW))
  found.sort((one, other) => compare(one.published_at!, other.published_at!) || compare(one.id, other.id))
  return (direction === 'newest' ? found.reverse() : found).map(({ id }) => id)
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function* pages(archive: Archive, wanted: Filter, direction: Order, limit: number): Generator<string[]> {
  let after = null
  for (;;) {
    const { slots, next } = archive.findPage({ filter: wanted, order: direction, limit, after, now: NOW })
    yield incidentsOn(archive, slots).map(({ id }) => id)
    if (next === null) return
    after = archive.positionOf(slots.at(-1)!)
  }
}

test('finds exactly the matches of a filter, page by page, in both orders', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, documentForm, filter, order, pageSize, async (all, form, wanted, direction, limit) => {
      await using scene = await archiveOf(all, form)
      const { archive } = scene
      const found = [...pages(archive, wanted, direction, limit)]
      assert.deepEqual(found.flat(), expected(all, wanted, direction))
      assert.ok(found.slice(0, -1).every((page) => page.length === limit))
    }),
    { numRuns: tries(1500) },
  )
})

test('does not depend on the order or the batches in which incidents arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      incidents,
      documentForm,
      fc.integer(),
      pageSize,
      filter,
      order,
      async (all, form, seed, batch, wanted, direction) => {
        const shuffled = all.toSorted((one, other) => mixed(one.id, seed) - mixed(other.id, seed))
        await using scene = await archiveIn(form)
        const { archive } = scene
        const events = shuffled.map((incident, index) => anEvent(index + 1, incident))
        for (let start = 0; start < events.length; start += batch) {
          archive.apply(events.slice(start, start + batch))
          await scene.toFiles()
        }
        assert.deepEqual([...pages(archive, wanted, direction, 1000)].flat(), expected(all, wanted, direction))
      },
    ),
    { numRuns: tries(400) },
  )
})

function mixed(id: string, seed: number): number {
  return Math.imul(Number(id.slice(4)) + 1, 0x9e3779b1 ^ seed) >>> 0
}

test('paging gives each match exactly once while others arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      incidents,
      incidents,
      documentForm,
      order,
      pageSize,
      filter,
      async (all, later, form, direction, limit, wanted) => {
        await using scene = await archiveOf(all, form)
        const { archive } = scene
        const arriving = later.map((incident, index) => ({ ...incident, id: anIncident(1000 + index).id }))
        const given: string[] = []
        for (const page of pages(archive, wanted, direction, limit)) {
          given.push(...page)
          const incident = arriving.pop()
          if (incident) archive.apply([anEvent(archive.head.seq + 1, incident)])
        }
        const stood = new Set(all.map(({ id }) => id))
        assert.deepEqual(
          given.filter((id) => stood.has(id)),
          expected(all, wanted, direction),
        )
        assert.equal(new Set(given).size, given.length)
      },
    ),
    { numRuns: tries(400) },
  )
})

test('after corrections and retractions, equals an archive built from the result', async () => {
  const change = fc.tuple(fc.nat(), fc.option(incidentParts))
  await fc.assert(
    fc.asyncProperty(
      incidents,
      fc.array(change, { maxLength: 40 }),
      fc.boolean(),
      documentForm,
      filter,
      order,
      async (all, changes, together, form, wanted, direction) => {
        fc.pre(all.length > 0)
        const standing = new Map(all.map((incident) => [incident.id, incident]))
        const events = all.map((incident, index) => anEvent(index + 1, incident))
        for (const [pick, parts] of changes) {
          const number = pick % all.length
          const old = all[number]!
          const next = parts ? incidentFrom(parts, number) : { ...old, status: 'retracted' as const }
          if (parts) standing.set(old.id, next)
          else standing.delete(old.id)
          events.push(anEvent(events.length + 1, next, parts ? 'incident.updated' : 'incident.retracted'))
        }
        await using scene = await archiveIn(form)
        const { archive } = scene
        if (together) archive.apply(events)
        else {
          for (const event of events) {
            archive.apply([event])
            await scene.toFiles()
          }
        }
        await scene.toFiles()
        assert.deepEqual(
          [...pages(archive, wanted, direction, 7)].flat(),
          expected([...standing.values()], wanted, direction),
        )
        assert.equal(archive.size, standing.size)
        for (const { id } of all) {
          const slot = archive.slotOf(id)
          assert.equal(archive.isRetracted(id), !standing.has(id))
          assert.deepEqual(slot === null ? undefined : incidentsOn(archive, [slot])[0], standing.get(id))
        }
      },
    ),
    { numRuns: tries(600) },
  )
})

test('segments split, fill up and disappear without losing an incident', async () => {
  const archive = await emptyArchive()
  const count = 30_000
  const all = Array.from({ length: count }, (_, number) =>
    anIncident(number, { type: number % 3 ? 'protest' : 'piracy', category: 'maritime' }),
  )
  const inwards = all.map((_, index) => all[index % 2 ? index >> 1 : count - 1 - (index >> 1)]!)
  const events = inwards.map((incident, index) => anEvent(index + 1, incident))
  for (let start = 0; start < count; start += 1777) archive.apply(events.slice(start, start + 1777))
  const piracy: Filter = { ...EVERYTHING, types: ['piracy'] }
  const wanted = all.filter(({ type }) => type === 'piracy').map(({ id }) => id)
  assert.deepEqual([...pages(archive, piracy, 'oldest', 1000)].flat(), wanted)
  assert.deepEqual([...pages(archive, piracy, 'newest', 1000)].flat(), wanted.toReversed())
  archive.apply(
    all.map((incident, index) =>
      anEvent(count + index + 1, { ...incident, status: 'retracted' }, 'incident.retracted'),
    ),
  )
  assert.equal(archive.size, 0)
  assert.deepEqual([...pages(archive, EVERYTHING, 'newest', 1000)].flat(), [])
})
