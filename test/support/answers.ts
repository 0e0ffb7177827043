import { renderIncidentList } from '../../src/api/incidents/list.ts'
import { renderStatistics } from '../../src/api/statistics/statistics.ts'
import { TileRenderer } from '../../src/api/tiles.ts'
import type { Archive } from '../../src/archive/archive.ts'
import type { ArchiveView } from '../../src/archive/archive-view.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { LAYOUTS } from '../../src/formats/layouts.ts'
import { places } from '../../src/geo/places.ts'
import { runToEnd, type Steps } from '../../src/lib/steps.ts'

const renderer = new TileRenderer(places)
const list = (view: ArchiveView, filter: Filter, now: number, layout = LAYOUTS.json) =>
  renderIncidentList(
    view,
    { filter, order: 'newest', limit: 1000, cursor: null, format: null, fields: null },
    now,
    layout,
  )

const QUESTIONS: Record<string, (view: ArchiveView, now: number) => Steps<unknown>> = {
  list: (view, now) => list(view, EVERYTHING, now),
  filtered: (view, now) => list(view, { ...EVERYTHING, severities: ['high'], states: ['NG-KD'] }, now),
  words: (view, now) => list(view, { ...EVERYTHING, words: ['number'] }, now),
  csv: (view, now) => list(view, EVERYTHING, now, LAYOUTS.csv),
  states: (view, now) =>
    renderStatistics(view, { groups: ['state'], timeZone: 'UTC', filter: EVERYTHING }, places, now),
  hours: (view, now) =>
    renderStatistics(view, { groups: ['type', 'hour'], timeZone: 'UTC', filter: EVERYTHING }, places, now),
  tile: (view, now) => renderer.renderTile(view, { z: 3, x: 4, y: 3 }, EVERYTHING, now),
}

/**
 * Everything that an archive answers, as text: two archives with the same text are the same to a
 * client.
 */
export function answersOf(archive: Archive, ids: readonly string[], now: number): string {
  const answers = Object.values(QUESTIONS).map((ask) => runToEnd(ask(archive.view, now)))
  const months = archive.months().map(({ month, incidents }) => {
    const pinned = archive.pinMonth(month)
    const documents = Array.from({ length: pinned.size }, (_, index) => Buffer.from(pinned.at(index)).toString())
    return [month, incidents, archive.monthVersion(month), documents]
  })
  const single = ids.map((id) => {
    const slot = archive.slotOf(id)
    const fields =
      slot === null ? null : [archive.indexedFieldsOf(slot), archive.radiusKmOf(slot), archive.incidentOf(slot)]
    return [id, fields, archive.isRetracted(id), archive.mergedInto(id)]
  })
  return JSON.stringify([archive.head, archive.size, archive.newestPublishedAt, answers, months, single], (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
}
