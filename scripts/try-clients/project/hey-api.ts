import { createClient } from './generated/hey-api/client/index.ts'
import { createWatch, listIncidents, locatePoint } from './generated/hey-api/sdk.gen.ts'
import { check, type Setting } from './setting.ts'

/** The functions of @hey-api/openapi-ts, one for each operation. */
export async function run({ baseUrl, key, hook }: Setting): Promise<void> {
  const client = createClient({ baseUrl, auth: () => key })

  const pageAfter = async (cursor?: string) => {
    const query = { state: ['Kaduna', 'Zamfara'], min_confidence: 0.1, limit: 20, cursor }
    const { data, error } = await listIncidents({ client, query })
    if (!data) throw new Error(error?.detail)
    return data
  }
  const first = await pageAfter()
  const second = await pageAfter(first.next_cursor ?? undefined)
  const ids = [...first.data, ...second.data].map((incident) => incident.id)
  check(new Set(ids).size === 40, 'two pages, each incident once')

  const created = await createWatch({
    client,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { name: 'hey-api', url: hook, filter: { state: ['Kaduna'], min_confidence: 0.5 } },
  })
  if (!created.data) throw new Error(created.error?.detail)
  check(created.data.filter.min_confidence === 0.5, 'the filter comes back, with its number')
  check(created.data.secret.startsWith('whsec_'), 'the secret is shown')

  const refused = await locatePoint({ client, query: { lat: 51.5, lng: 0 } })
  check(refused.error?.code === 'outside_nigeria', 'an error has its code')
}
