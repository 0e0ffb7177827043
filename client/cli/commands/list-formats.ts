import { ProblemError } from '../../src/index.ts'
import type { Connection } from '../settings.ts'

/** CSV is the service's own; the SDK parses JSON only. */
async function fetchCsv({ url, key }: Connection, query: object, signal: AbortSignal) {
  const search = new URLSearchParams(
    Object.entries({ ...query, format: 'csv' }).map(([name, value]) => [name, String(value)]),
  )
  const response = await fetch(`${url}/v1/incidents?${search}`, { headers: { authorization: `Bearer ${key}` }, signal })
  const text = await response.text()
  if (!response.ok) throw new ProblemError('GET /v1/incidents', response, JSON.parse(text), null)
  return { text, cursor: /[?&]cursor=([^&>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null }
}

/** Yields the lines of all pages below one header; returns whether there are more. */
export async function* csvLines(
  connection: Connection,
  query: object,
  count: number,
  signal: AbortSignal,
): AsyncGenerator<string, boolean> {
  let seen = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await fetchCsv(connection, cursor === '' ? query : { ...query, cursor }, signal)
    const records = recordsOf(page.text)
    if (cursor === '') yield records[0]!
    const data = records.slice(1)
    for (const [index, record] of data.entries()) {
      yield record
      if (++seen === count) return index + 1 < data.length || page.cursor !== null
    }
    cursor = page.cursor
  }
  return false
}

/** Splits CSV into records, with their line ends: a quoted field may hold line breaks. */
function recordsOf(text: string): string[] {
  return text.match(/(?:[^"\r\n]|"(?:[^"]|"")*")*\r?\n/g) ?? []
}

interface Collection {
  readonly features: readonly unknown[]
  readonly next_cursor: string | null
}

/** One FeatureCollection of all pages. */
export async function features({ feed }: Connection, query: object, count: number, signal: AbortSignal) {
  const all: unknown[] = []
  let cursor: string | null | undefined
  do {
    const asked = { ...query, format: 'geojson', ...(cursor ? { cursor } : {}) }
    const page: Collection = await feed.request('GET', '/v1/incidents', { query: asked }, { signal })
    all.push(...page.features)
    cursor = page.next_cursor
  } while (cursor !== null && all.length < count)
  const hasMore = cursor !== null || all.length > count
  return { collection: { type: 'FeatureCollection', features: all.slice(0, count) }, hasMore }
}
