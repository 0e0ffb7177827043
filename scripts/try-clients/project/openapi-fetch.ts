import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.ts'
import { check, type Setting } from './setting.ts'

/** The list answers in four formats: the client is typed for JSON and for the errors. */
type Json = 'application/json' | 'application/problem+json'

/** The types of openapi-typescript, with the fetch client made for them. */
export async function run({ baseUrl, key, hook }: Setting): Promise<void> {
  const client = createClient<paths, Json>({ baseUrl, headers: { authorization: `Bearer ${key}` } })

  const pageAfter = async (cursor?: string) => {
    const query = { state: ['Kaduna', 'Zamfara'], min_confidence: 0.1, limit: 20, cursor }
    const { data, error } = await client.GET('/v1/incidents', { params: { query } })
    if (error) throw new Error(error.detail)
    return data
  }
  const first = await pageAfter()
  const second = await pageAfter(first.next_cursor ?? undefined)
  const ids = [...first.data, ...second.data].map((incident) => incident.id)
  check(new Set(ids).size === 40, 'two pages, each incident once')

  const created = await client.POST('/v1/watches', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { name: 'openapi-fetch', url: hook, filter: { state: ['Kaduna'], min_confidence: 0.5 } },
  })
  if (created.error) throw new Error(created.error.detail)
  check(created.data.filter.min_confidence === 0.5, 'the filter comes back, with its number')
  check(created.data.secret.startsWith('whsec_'), 'the secret is shown')

  const refused = await client.GET('/v1/places/locate', { params: { query: { lat: 51.5, lng: 0 } } })
  check(refused.error?.code === 'outside_nigeria', 'an error has its code')
}
