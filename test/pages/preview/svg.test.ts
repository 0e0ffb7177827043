import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { parseListing } from '../../../src/filter/listing.ts'
import { statesGeoJson } from '../../../src/geo/outlines.ts'
import { places } from '../../../src/geo/places.ts'
import { english } from '../../../src/i18n/english.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import type { Mark } from '../../../src/pages/marks/find-marks.ts'
import { incidentSvg } from '../../../src/pages/preview/incident-svg.ts'
import { viewSvg } from '../../../src/pages/preview/view-svg.ts'
import { fitBox } from '../../../src/pages/static-map/projection.ts'
import { StaticMap } from '../../../src/pages/static-map/static-map.ts'
import { anIncident } from '../../support/incident.ts'

const NOW = Date.UTC(2026, 0, 2)
const map = new StaticMap(statesGeoJson())
const extent = { west: 7, south: 10, east: 7, north: 10 }
const MARKS: readonly Mark[] = [
  { kind: 'cluster', x: 300, y: 300, count: 384, bySeverity: [300, 0, 84, 0], extent },
  { kind: 'incident', x: 100, y: 100, id: 'inc_1', severity: 'critical', type: 'kidnapping', state: 'NG-KD' },
]
const FIGURES = {
  total: {
    count: 1385,
    killed: 1012,
    killedKnown: 3,
    injured: 7,
    injuredKnown: 2,
    abducted: 0,
    abductedKnown: 0,
  },
  bySeverity: { low: 300, medium: 0, high: 1084, critical: 1 },
}

function viewIn(translate = english, query = 'state=NG-KD&since=7d'): string {
  const { filter } = parseListing(new URLSearchParams(query), places)
  const projection = fitBox(map.boxOfStates(['NG-KD']), 600, 630)
  const view = { filter, figures: FIGURES as never, marks: MARKS, projection, now: NOW, isDemo: true }
  return viewSvg(view, map, places, translate)
}

const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text!)

test('the image of a view says where, when and how many, with the casualties and the severities that occur', () => {
  const texts = textsOf(viewIn())
  for (const text of [
    'Kaduna',
    '26 Dec 2025 – 2 Jan 2026',
    '1,385 incidents',
    '1,012 killed, 7 injured',
    'Low 300',
    'High 1,084',
    'Critical 1',
    'Incident Feed · Synthetic data',
  ])
    assert.ok(texts.includes(text), `${text} is not among ${texts.join(' | ')}`)
  assert.ok(!texts.some((text) => text.startsWith('Medium')))
})

test('its map has many incidents at a point as a disc with their number, and one as a dot', () => {
  const svg = viewIn()
  assert.match(
    svg,
    /<g transform="translate\(300\.0 300\.0\)"><circle[^>]*\/><path[^>]*\/><path[^>]*\/><text[^>]*>384</,
  )
  assert.match(svg, /<g transform="translate\(100\.0 100\.0\)"><circle[^>]*\/><circle[^>]*\/><circle[^>]*\/><\/g>/)
  assert.match(svg, /stroke="#0b6b58" stroke-width="3"/)
})

test('an image speaks the language of its address', async () => {
  const { translate } = await loadLanguage('yo')
  const texts = textsOf(viewIn(translate))
  assert.ok(texts.includes(translate('common.incidents', { count: '1,385' })))
  assert.ok(!texts.some((text) => /incident|killed/.test(text)))
  const one = textsOf(incidentSvg(anIncident(1), map, false, translate))
  assert.ok(one.some((text) => text.startsWith(translate('common.type_kidnapping'))))
})

const known = (precision: Incident['location']['precision'], radius_km: number | null): Incident => ({
  ...anIncident(1),
  location: { ...anIncident(1).location, precision, radius_km },
})

test('an incident known to its town is a dot, to its LGA a dashed circle, to its state a hatched area', () => {
  const pictureOf = (incident: Incident) => incidentSvg(incident, map, false, english).split('<path d="M600 0V630"')[0]!
  const town = pictureOf(known('settlement', 3))
  assert.match(town, /<g transform="translate\(300 31\d\)"><circle/)
  assert.doesNotMatch(town, /dasharray|hatch/)
  const area = pictureOf(known('lga', 40))
  assert.match(area, /<g transform="translate\(300 31\d\)"><circle[^>]*stroke-dasharray[^>]*\/><\/g>/)
  const state = pictureOf(known('state', null))
  assert.match(state, /fill="url\(#hatch\)"/)
  assert.doesNotMatch(state, /<circle/)
})
