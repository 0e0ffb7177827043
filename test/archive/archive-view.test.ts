import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { renderIncidentList } from '../../src/api/incidents/incidents.ts'
import { renderStatistics } from '../../src/api/statistics.ts'
import { TileRenderer } from '../../src/api/tiles.ts'
import type { Archive, ArchiveView } from '../../src/archive/archive.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { regionOf } from '../../src/filter/shapes.ts'
import { LAYOUTS } from '../../src/formats/layouts.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { runToEnd, type Steps } from '../../src/lib/steps.ts'
import { EPOCH, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, archiveIn, aSnapshot } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const COUNT = 20_000
const NOW = EPOCH + COUNT * 60_000
const random = seededRandom(13)
const incident = (number: number) =>
  anIncident(number, { lat: 4 + 10 * random(), lng: 3 + 11 * random(), severity: random() < 0.5 ? 'low' : 'high' })

const INCIDENTS = Array.from({ length: COUNT }, (_, number) => incident(number))
/** More than two segments, so that a question has several steps. */
const forms = await Promise.all(
  ['in memory', 'in files'].map(async (form) => ({
    form,
    scene: await archiveIn(form, aSnapshot(INCIDENTS, 100), 256 << 10),
  })),
)
after(async () => {
  for (const { scene } of forms) await scene[Symbol.asyncDispose]()
})

/** A ring of 900 corners: some hundred incidents are compared with it in one step. */
const corners = Array.from({ length: 900 }, (_, at): [number, number] => {
  const angle = (2 * Math.PI * at) / 900
  return [8 + 4 * Math.cos(angle), 9 + 4 * Math.sin(angle)]
})
const region = regionOf([[Float64Array.from([...corners, corners[0]!].flat())]])

const renderer = new TileRenderer(places)
const list = (view: ArchiveView, filter: Filter, limit: number, layout = LAYOUTS.json) =>
  renderIncidentList(view, { filter, order: 'newest', limit, cursor: null, format: null, fields: null }, NOW, layout)

const QUESTIONS: Record<string, (view: ArchiveView) => Steps<unknown>> = {
  'a count in a polygon': (view) => view.count({ filter: { ...EVERYTHING, region }, now: NOW }),
  'a list in a polygon': (view) => list(view, { ...EVERYTHING, region, severities: ['low'] }, 50),
  'a list over all segments': (view) => list(view, { ...EVERYTHING, minConfidence: 0.99 }, 1000),
  'a list as CSV': (view) => list(view, EVERYTHING, 200, LAYOUTS.csv),
  statistics: (view) =>
    renderStatistics(view, { groups: ['severity', 'hour'], timeZone: 'UTC', filter: EVERYTHING }, places, NOW),
  'statistics by sums': (view) =>
    renderStatistics(view, { groups: ['state'], timeZone: 'UTC', filter: EVERYTHING }, places, NOW),
  'a tile': (view) => renderer.renderTile(view, { z: 3, x: 4, y: 3 }, { ...EVERYTHING, minConfidence: 0.1 }, NOW),
}

const change = fc.record({
  number: fc.nat(COUNT + 50),
  parts: fc.option(incidentParts, { freq: 3 }),
  later: fc.boolean(),
})
const changes = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 12 })

/** Compared as a text: a list of the differences between two answers would take minutes. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
}

/** Adds, corrects or retracts incidents, old and new ones. */
function apply(archive: Archive, batch: typeof changes extends fc.Arbitrary<(infer Batch)[]> ? Batch : never): void {
  archive.apply(
    batch.map(({ number, parts, later }, index) => {
      const happened = parts
        ? { ...incidentFrom(parts, number), ...(later ? {} : { published_at: anIncident(number).published_at }) }
        : anIncident(number, { status: 'retracted' })
      return anEvent(archive.head.seq + index + 1, happened, parts ? 'incident.updated' : 'incident.retracted')
    }),
  )
}

for (const {
  form,
  scene: { archive },
  name,
  ask,
} of forms.flatMap((one) => Object.entries(QUESTIONS).map(([name, ask]) => ({ ...one, name, ask })))) {
  test(`events between the steps of ${name} neither lose nor double an incident, ${form}`, () => {
    fc.assert(
      fc.property(changes, (batches) => {
        const before = textOf(runToEnd(ask(archive.view)))
        const steps = ask(archive.view)
        using _pin = archive.pin()
        let result = steps.next()
        for (const batch of batches) {
          if (result.done) break
          apply(archive, batch)
          result = steps.next()
        }
        assert.ok(textOf(result.done ? result.value : runToEnd(steps)) === before)
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })
}

for (const {
  form,
  scene: { archive },
} of forms) {
  test(`two readers of different moments each see their own, whichever ends first, ${form}`, () => {
    fc.assert(
      fc.property(changes, fc.boolean(), (batches, firstEndsFirst) => {
        const ask = QUESTIONS['a list as CSV']!
        const started = [0, 1].map((index) => {
          const [before, steps, pin] = [textOf(runToEnd(ask(archive.view))), ask(archive.view), archive.pin()] as const
          steps.next()
          apply(archive, batches[index] ?? [])
          return { before, steps, pin }
        })
        for (const { before, steps, pin } of firstEndsFirst ? started : started.toReversed()) {
          assert.ok(textOf(runToEnd(steps)) === before)
          pin[Symbol.dispose]()
          for (const batch of batches) apply(archive, batch)
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })
}

for (const {
  form,
  scene: { archive },
} of forms) {
  test(`the archive itself follows the events while a reader holds an older state, ${form}`, () => {
    using _pin = archive.pin()
    const [one] = [anIncident(17, { summary: 'Corrected meanwhile.', version: 2 })]
    archive.apply([anEvent(archive.head.seq + 1, one, 'incident.updated')])
    assert.deepEqual(archive.incidentOf(archive.slotOf(one.id)!), one)
    const { size } = archive
    archive.apply([anEvent(archive.head.seq + 1, { ...one, status: 'retracted' }, 'incident.retracted')])
    assert.equal(archive.slotOf(one.id), null)
    assert.equal(archive.size, size - 1)
  })
}
