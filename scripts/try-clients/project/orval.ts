import { createWatch, listIncidents, locatePoint } from './generated/orval-fetch/feed.ts'
import { CreateWatchBody, CreateWatchResponse, ListIncidentsResponse } from './generated/orval-zod/feed.ts'
import { check, type Setting } from './setting.ts'

/** The fetch functions of orval, and its zod schemas for what is sent and answered. */
export async function run({ key, hook }: Setting): Promise<void> {
  const options = { headers: { authorization: `Bearer ${key}` } }

  const pageAfter = async (cursor?: string) => {
    const page = await listIncidents({ state: ['Kaduna', 'Zamfara'], min_confidence: 0.1, limit: 20, cursor }, options)
    if (page.status !== 200) throw new Error(`the list answers ${page.status}`)
    return ListIncidentsResponse.parse(page.data)
  }
  const first = await pageAfter()
  const second = await pageAfter(first.next_cursor ?? undefined)
  const ids = [...first.data, ...second.data].map((incident) => incident.id)
  check(new Set(ids).size === 40, 'two pages, each incident once')

  const body = { name: 'orval', url: hook, filter: { state: ['Kaduna'], min_confidence: 0.5 } }
  const created = await createWatch(CreateWatchBody.parse(body), options)
  if (created.status !== 201) throw new Error(`the new watch answers ${created.status}`)
  const watch = CreateWatchResponse.parse(created.data)
  check(watch.filter.min_confidence === 0.5, 'the filter comes back, with its number')
  check(!CreateWatchBody.safeParse({ ...body, filter: { min_confidence: '0.5' } }).success, 'zod refuses a text')

  const refused = await locatePoint({ lat: 51.5, lng: 0 }, options)
  check(refused.status === 404 && refused.data.code === 'outside_nigeria', 'an error has its code')
}
