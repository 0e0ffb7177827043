/** The suites in the order of a run, with their titles; each is a file in `suites/`. */
export const SUITES = {
  listing: 'Lists over HTTP, beside a route that only sends the same bytes',
  'request-log': 'The log of requests',
  peer: 'Lists over HTTP, beside SQL written by hand',
  archive: 'Questions to the archive in memory',
  downloads: 'Months of the archive as files',
  startup: 'The start',
  geo: 'Geography',
  extraction: 'From the text of news to proposed reports',
  'near-duplicates': 'Near-duplicates: precision and recall',
  matching: 'From an incident to those who watch for it',
  sites: 'From an incident to the sites near it',
  'peer-matching': 'The same, beside SQL',
  sending: 'Posts to endpoints',
  deliveries: 'From a confirmation to the endpoints',
  listen: 'From a confirmation to a developer’s computer',
  streams: 'Streams',
  chain: 'The chain of the log',
  import: 'Imports',
  tiles: 'Tiles and statistics',
  areas: 'Pages of states and LGAs',
  trends: 'Trends against earlier years',
  map: 'The map in a browser',
  'desk-page': 'The desk in a browser',
  readers: 'Readers behind a cache',
  phone: 'The map on a phone with a slow line',
  desk: 'The queue of the desk',
  pipelining: 'A thousand requests sent ahead: the longest wait of others',
  hostile: 'Hostile requests: the longest turn of the event loop',
} as const satisfies Record<string, string>

export type SuiteName = keyof typeof SUITES

export const SUITE_NAMES = Object.keys(SUITES) as SuiteName[]
