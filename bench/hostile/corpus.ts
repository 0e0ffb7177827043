import { places } from '../../src/geo/places.ts'
import { combPolygon, scatteredPolygons, slantedComb, zigzagRoute } from './shapes.ts'

export interface HostileRequest {
  readonly path: string
  /** A JSON text, or a value to write as one; makes it a POST. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with the operator's key instead of a client's. */
  readonly operator?: true
  /** The client closes the connection after this many milliseconds. */
  readonly leavesAfterMs?: number
}

const MAX_BODY = 256 * 1024
const names = (count: number) => Array.from({ length: count }, (_, number) => `n${number.toString(36)}`)
const someLgas = places.lgas
  .filter((_, number) => number % 8 === 0)
  .slice(0, 97)
  .map(({ code }) => code)
const list = (query: string) => `/v1/incidents?${query}`
const preview = (filter: unknown, days = 3650) => ({ path: '/v1/watches/preview', body: { filter, days } })
const question = (of: 'incidents' | 'stats', body: object, n: string) => ({
  path: `/v1/${of}/query`,
  body: { ...body, min_confidence: Number(n) },
})
/** Addresses of the map take six digits. */
const mapConfidence = (number: number) => (number / 1e6).toFixed(6)
const html = { accept: 'text/html', authorization: '' }
const filled = (part: string, open: string, close: string) =>
  open +
  Array(Math.floor((MAX_BODY - 100) / (part.length + 1)))
    .fill(part)
    .join(',') +
  close

const REPORT = { type: 'kidnapping', occurred_at: '2026-10-01', state: 'Kaduna', lga: 'Chikun', summary: 'Bench.' }

/**
 * Every kind of hostile request, as a function of a number that makes each one new, so that no
 * cache answers it. `n` is a small number for parameters such as min_confidence.
 */
export const CORPUS: Readonly<Record<string, (n: string, number: number) => HostileRequest>> = {
  'list: words that no summary has': (n) => ({ path: list(`q=zz+yy+xx&min_confidence=${n}`) }),
  'statistics: eight words': (n) => ({ path: `/v1/stats?group_by=lga&q=a+b+c+d+e+f+g+h&min_confidence=${n}` }),
  'map: 2,000 names': (n) => ({ path: `/?lga=${names(2000)},${n}`, headers: html }),
  'map: 100 unknown names': (n) => ({ path: `/?lga=${names(99)},${n}`, headers: html }),
  'map: nothing matches, all years': (_, number) => ({
    path: `/?span=all&type=piracy&lga=Gwoza&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'map: everything, all years': (_, number) => ({
    path: `/?span=all&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'map: everything, all years, another language': (_, number) => ({
    path: `/?span=all&lang=yo&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'map picture: everything, all years': (_, number) => ({
    path: `/map.svg?span=all&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'map picture: nothing matches': (_, number) => ({
    path: `/map.svg?span=all&type=piracy&lga=Gwoza&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'briefing: everything, all years': (_, number) => ({
    path: `/briefing?span=all&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'briefing: a town, all years': (_, number) => ({
    path: `/briefing?span=all&at=9/10.52/7.44&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'briefing: the whole world': (_, number) => ({
    path: `/briefing?span=all&box=-180,-90,180,90&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  // Two kinds only: an address may have 30 new images a minute.
  'preview image: everything, all years': (_, number) => ({
    path: `/preview.png?span=all&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'preview image: a town, all years': (_, number) => ({
    path: `/preview.png?span=all&at=9/10.52/7.44&min_confidence=${mapConfidence(number)}`,
    headers: html,
  }),
  'list: 2,000 names': (n) => ({ path: list(`lga=${names(2000)}&min_confidence=${n}`) }),
  'list: 100 unknown names': (n) => ({ path: list(`lga=${names(100)}&min_confidence=${n}`) }),
  'list: 100 unknown names in each of five lists': (n) => ({
    path: list(
      `${['state', 'lga', 'type', 'category', 'severity'].map((name) => `${name}=${names(100)}`).join('&')}&min_confidence=${n}`,
    ),
  }),
  'list: 2,000 unknown parameters': (n) => ({ path: list(`${names(2000).join('&')}&min_confidence=${n}`) }),
  'list: 97 LGAs, nothing matches': (n) => ({
    path: list(`lga=${someLgas}&type=piracy&severity=critical&min_confidence=0.9999${n.slice(2)}`),
  }),
  'list: nothing matches in all years': (n) => ({ path: list(`occurred_to=1970-01-01&min_confidence=${n}`) }),
  'list: nothing matches, 500 km': (n) => ({
    path: list(`near=9.1,7.4&radius_km=500&occurred_to=1970-01-01&min_confidence=${n}`),
  }),
  'list: 1,000 as JSON, br': (n) => ({
    path: list(`limit=1000&min_confidence=${n}`),
    headers: { 'accept-encoding': 'br' },
  }),
  'list: 1,000 as CSV': (n) => ({ path: list(`limit=1000&format=csv&min_confidence=${n}`) }),
  'list: 1,000 as GeoJSON, gzip': (n) => ({
    path: list(`limit=1000&format=geojson&min_confidence=${n}`),
    headers: { 'accept-encoding': 'gzip' },
  }),
  'list: 1,000 as NDJSON': (n) => ({ path: list(`limit=1000&format=ndjson&min_confidence=${n}`) }),
  'feed: 1,000 entries': (n) => ({ path: `/v1/feeds/incidents.atom?limit=1000&min_confidence=${n}` }),
  'list in a comb of 1,000 positions': (n) => question('incidents', { polygon: combPolygon(1000), limit: 1000 }, n),
  'list in 200 squares': (n) => question('incidents', { polygon: scatteredPolygons(1000), limit: 1000 }, n),
  'list along a zigzag of 500 points': (n) => question('incidents', { route: zigzagRoute(500), limit: 1000 }, n),
  'list in a comb and along a zigzag': (n) =>
    question('incidents', { polygon: combPolygon(1000), route: zigzagRoute(500), limit: 1000 }, n),
  'list in a slanted comb, nothing matches': (n) =>
    question('incidents', { polygon: slantedComb(1000), occurred_to: '1970-01-01' }, n),
  'list in a polygon of 20,000 positions': (n) => question('incidents', { polygon: combPolygon(9000) }, n),
  'stats in a comb of 1,000 positions': (n) =>
    question('stats', { polygon: combPolygon(1000), group_by: ['lga', 'type'] }, n),
  'stats in 200 squares, by hour': (n) =>
    question(
      'stats',
      { polygon: scatteredPolygons(1000), group_by: ['hour'], from: '2022-01-01', to: '2024-09-01' },
      n,
    ),
  'stats along a zigzag of 500 points': (n) =>
    question('stats', { route: zigzagRoute(500), group_by: ['lga', 'type'] }, n),
  'stats in a comb and along a zigzag': (n) =>
    question('stats', { polygon: combPolygon(1000), route: zigzagRoute(500), group_by: ['state'] }, n),
  'stats: LGA × type': (n) => ({ path: `/v1/stats?group_by=lga,type&min_confidence=${n}` }),
  'stats: state × LGA, 500 km': (n) => ({
    path: `/v1/stats?group_by=state,lga&near=9.1,7.4&radius_km=500&min_confidence=${n}`,
  }),
  'stats: 24,000 hours': (n) => ({ path: `/v1/stats?group_by=hour&from=2022-01-01&to=2024-09-01&min_confidence=${n}` }),
  'stats: type × day': (n) => ({
    path: `/v1/stats?group_by=type,day&from=2024-01-01&to=2026-01-01&min_confidence=${n}`,
  }),
  'stats: all buckets again and again': () => ({ path: '/v1/stats?group_by=lga,type' }),
  'tile: zoom 0, a filter never asked before': (n) => ({ path: `/v1/tiles/0/0/0.mvt?min_confidence=${n}` }),
  'tile: zoom 5, 97 LGAs': (n) => ({ path: `/v1/tiles/5/16/15.mvt?lga=${someLgas}&min_confidence=${n}` }),
  'tile: zoom 4, happened long ago': (n) => ({
    path: `/v1/tiles/4/8/7.mvt?occurred_to=1970-01-01&min_confidence=${n}`,
  }),
  'tile: zoom 10, single incidents': (n) => ({ path: `/v1/tiles/10/533/482.mvt?min_confidence=${n}` }),
  'preview: 2,000 names': () => preview({ lga: names(2000) }),
  'preview: 100 unknown names': () => preview({ lga: names(100) }),
  'preview: comb of 1,000 positions, 3,650 days': (n) =>
    preview({ polygon: combPolygon(1000), min_confidence: Number(n) }),
  'preview: 200 squares, 3,650 days': (n) => preview({ polygon: scatteredPolygons(1000), min_confidence: Number(n) }),
  'preview: zigzag of 500 points, 3,650 days': (n) => preview({ route: zigzagRoute(500), min_confidence: Number(n) }),
  'preview: comb and zigzag, 3,650 days': (n) =>
    preview({ polygon: combPolygon(1000), route: zigzagRoute(500), min_confidence: Number(n) }),
  'preview: slanted comb of 1,000 positions, 1 day': (n) =>
    preview({ polygon: slantedComb(1000), min_confidence: Number(n) }, 1),
  'preview: the client leaves after 50 ms': (n) => ({
    ...preview({ polygon: combPolygon(1000), route: zigzagRoute(500), min_confidence: Number(n) }),
    leavesAfterMs: 50,
  }),
  'preview: 20,000 unknown filters': () => preview(Object.fromEntries(names(20_000).map((name) => [name, 1]))),
  'body: 256 KiB of arrays': () => ({ path: '/v1/watches/preview', body: filled('[]', '{"filter":{"state":[', ']}}') }),
  'body: 256 KiB of numbers': () => ({ path: '/v1/watches/preview', body: filled('1', '{"filter":{"state":[', ']}}') }),
  'body: 100,000 levels deep': () => ({
    path: '/v1/watches/preview',
    body: `{"filter":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  }),
  'body: 20,000 unknown fields': () => ({
    path: '/v1/watches/preview',
    body: { filter: {}, ...Object.fromEntries(names(20_000).map((name) => [name, 1])) },
  }),
  'body: 256 KiB, not JSON': () => ({ path: '/v1/watches/preview', body: `{"filter":${'"a"'.repeat(85_000)}` }),
  'body: a polygon of 20,000 positions': () => preview({ polygon: combPolygon(9000) }),
  'archive: months': () => ({ path: '/v1/archive' }),
  'archive: a month as CSV': (_, number) => ({ path: `/v1/archive/2024-${month(number)}.csv` }),
  'archive: a month as GeoJSON, gzip': (_, number) => ({
    path: `/v1/archive/2023-${month(number)}.geojson`,
    headers: { 'accept-encoding': 'gzip' },
  }),
  'changes: 1,000': (_, number) => ({ path: `/v1/changes?limit=1000&after=${number * 1000}` }),
  'places: 200 letters': (n) => ({ path: `/v1/places/search?q=${'a '.repeat(97)}${n}` }),
  'places: like a regular expression': (n) => ({
    path: `/v1/places/search?q=${encodeURIComponent(`${'(a+)+'.repeat(38)}${n}`)}`,
  }),
  'places: a long misspelt name': (n) => ({ path: `/v1/places/search?q=Bwarinngwarii${n}` }),
  'places: names and commas': () => ({
    path: `/v1/places/search?q=${encodeURIComponent('Ado, Obi, Kaduna, Bassa, '.repeat(8))}`,
  }),
  'header: Accept of 12 KB': (n) => ({
    path: list(`min_confidence=${n}`),
    headers: { accept: `${'a/b,'.repeat(3000)}*/*` },
  }),
  'reference and description': (_, number) => ({ path: number % 2 === 0 ? '/docs' : '/openapi.json', headers: html }),
  'report: 256 KiB': () => ({
    path: '/v1/reports',
    body: { ...REPORT, text: 'Kaduna, Zaria. '.repeat(17_000) },
    operator: true,
  }),
  'report: 100 at once': () => ({ path: '/v1/reports', body: Array(100).fill(REPORT), operator: true }),
  'desk: 200 reports with duplicates': () => ({ path: '/v1/desk/incidents?limit=200', operator: true }),
  'desk: 200 confirmed': () => ({ path: '/v1/desk/incidents?status=confirmed&limit=200', operator: true }),
}

function month(number: number): string {
  return String((number % 12) + 1).padStart(2, '0')
}
