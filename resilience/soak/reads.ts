import { between, pick, type Random } from '../../src/lib/random.ts'
import type { Asking } from './checked-client.ts'
import type { Work } from './load.ts'

const FILTERS = [
  '',
  'state=Kaduna',
  'state=Zamfara,Katsina&min_severity=high',
  'type=kidnapping&since=52w',
  'bbox=7.0,10.2,7.8,10.9',
  'near=10.52,7.44&radius_km=50',
  'min_confidence=0.8&order=oldest',
]
const GROUPINGS = ['state', 'lga', 'type,month', 'severity,year', 'state,severity']
const FORMATS = ['json', 'geojson', 'csv', 'ndjson']
const MOST_ETAGS = 50

/** What readers ask for, each kind on its own. */
export function reads(asking: Asking, incidents: readonly string[], random: Random): Record<string, Work> {
  const etags = new Map<string, string>()
  const get = async (path: string, expected = [200]) => (await asking.ask(path, expected)).took
  const listing = () => `/v1/incidents?${pick(random, FILTERS)}&limit=${pick(random, [10, 50, 200])}`.replace('?&', '?')
  return {
    list: () => get(`${listing()}&format=${pick(random, FORMATS)}`),
    async conditional() {
      const path = listing()
      const etag = etags.get(path)
      const answer = await asking.ask(path, [200, 304], etag ? { headers: { 'if-none-match': etag } } : {})
      if (etags.size >= MOST_ETAGS) etags.clear()
      etags.set(path, answer.headers.get('etag')!)
      return answer.took
    },
    // Those that were retracted meanwhile are gone.
    one: () => get(`/v1/incidents/${pick(random, incidents)}`, [200, 410]),
    statistics: () =>
      get(`/v1/stats?group_by=${pick(random, GROUPINGS)}&${pick(random, FILTERS)}`.replace(/&order=\w+|&$/, '')),
    tile() {
      const zoom = between(random, 4, 10)
      const [x, y] = [between(random, 2, 15), between(random, 4, 14)].map((degrees) => degrees / 360)
      const column = Math.floor((0.5 + x!) * 2 ** zoom)
      // Near enough to the equator, Mercator's rows are as high as its columns are wide.
      return get(`/v1/tiles/${zoom}/${column}/${Math.floor((0.5 - y!) * 2 ** zoom)}.mvt`, [200, 204])
    },
    changes: () => get(`/v1/changes?after=${between(random, 0, incidents.length)}&limit=100`),
    feed: () => get(`/v1/feeds/incidents.atom?${pick(random, FILTERS.slice(0, 4))}`.replace(/\?$/, '')),
    months: () => get('/v1/archive'),
    place: () => get(`/v1/places/locate?lat=${between(random, 7, 12)}.5&lng=${between(random, 5, 10)}.5`),
  }
}
