import { pick, type Random, randomInteger } from '../../src/lib/random.ts'
import type { CheckedClient } from './checked-client.ts'
import type { Task } from './load.ts'

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
const MAX_ETAGS = 50

/** Returns the tasks that read. */
export function readTasks(client: CheckedClient, incidents: readonly string[], random: Random): Record<string, Task> {
  const etags = new Map<string, string>()
  const get = async (path: string, expectedStatuses = [200]) => (await client.request(path, expectedStatuses)).ms
  const listing = () => `/v1/incidents?${pick(random, FILTERS)}&limit=${pick(random, [10, 50, 200])}`.replace('?&', '?')
  return {
    list: () => get(`${listing()}&format=${pick(random, FORMATS)}`),
    async conditional() {
      const path = listing()
      const etag = etags.get(path)
      const response = await client.request(path, [200, 304], etag ? { headers: { 'if-none-match': etag } } : {})
      if (etags.size >= MAX_ETAGS) etags.clear()
      etags.set(path, response.headers.get('etag')!)
      return response.ms
    },
    // 410 for an incident that was retracted in the meantime.
    one: () => get(`/v1/incidents/${pick(random, incidents)}`, [200, 410]),
    statistics: () =>
      get(`/v1/stats?group_by=${pick(random, GROUPINGS)}&${pick(random, FILTERS)}`.replace(/&order=\w+|&$/, '')),
    tile() {
      const zoom = randomInteger(random, 4, 10)
      const [x, y] = [randomInteger(random, 2, 15), randomInteger(random, 4, 14)].map((degrees) => degrees / 360)
      const column = Math.floor((0.5 + x!) * 2 ** zoom)
      // Near the equator a Mercator row is as high as a column is wide.
      return get(`/v1/tiles/${zoom}/${column}/${Math.floor((0.5 - y!) * 2 ** zoom)}.mvt`, [200, 204])
    },
    changes: () => get(`/v1/changes?after=${randomInteger(random, 0, incidents.length)}&limit=100`),
    feed: () => get(`/v1/feeds/incidents.atom?${pick(random, FILTERS.slice(0, 4))}`.replace(/\?$/, '')),
    months: () => get('/v1/archive'),
    place: () => get(`/v1/places/locate?lat=${randomInteger(random, 7, 12)}.5&lng=${randomInteger(random, 5, 10)}.5`),
  }
}
