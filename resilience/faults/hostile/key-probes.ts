import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { signUp, statusOf, type World } from './world.ts'

const KEYS_TRIED = 30
const MAX_KEYS = 20
const HOUR_MS = 3_600_000

/** A key that may only read and watch must not become one that may confirm incidents. */
export async function probeDelegation({ operator, url }: World): Promise<Check> {
  const created = await operator.requestOnce('POST', '/v1/keys', { name: 'Reader', scopes: ['read', 'watch'] })
  const reader = new Client(String(created.body.key), () => url)
  const { body } = await operator.requestOnce('GET', '/v1/keys')
  const own = (body.data as { id: string; scopes: string[] }[]).find(({ scopes }) => scopes.includes('operate'))
  const statuses = [
    await statusOf(reader, 'POST', `/v1/keys/${own?.id}/rotate`, {}),
    await statusOf(reader, 'POST', '/v1/keys', { name: 'More', scopes: ['read', 'operate'] }),
    await statusOf(reader, 'DELETE', `/v1/keys/${own?.id}`),
  ]
  return {
    name: 'a key can neither create, rotate nor delete keys with scopes that it lacks',
    passed: created.status === 201 && own !== undefined && statuses.every((status) => status === 403),
    observed: statuses.join(', '),
  }
}

/** Keys without end would be limits without end. */
export async function probeKeyCap(world: World): Promise<Check> {
  const { client } = await signUp(world)
  let created = 1
  for (let tried = 0; tried < KEYS_TRIED; tried++) {
    const name = `Key ${tried}`
    if ((await statusOf(client, 'POST', '/v1/keys', { name })) === 201) created++
  }
  return {
    name: `an account has at most ${MAX_KEYS} keys`,
    passed: created > 1 && created <= MAX_KEYS,
    observed: `${created} after ${KEYS_TRIED} more requests`,
  }
}

/** A key that expires must not leave one that lasts. */
export async function probeExpiry({ operator, url }: World): Promise<Check> {
  const expires_at = new Date(Date.now() + HOUR_MS).toISOString()
  const created = await operator.requestOnce('POST', '/v1/keys', { name: 'For an hour', expires_at })
  const holder = new Client(String(created.body.key), () => url)
  const { status, body } = await holder.requestOnce('POST', '/v1/keys', { name: 'For ever' })
  const later = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  const longer = await statusOf(holder, 'POST', '/v1/keys', { name: 'For two hours', expires_at: later })
  return {
    name: 'a key that expires makes no keys that last longer',
    passed: status === 201 && body.expires_at === created.body.expires_at && longer === 422,
    observed: `until ${created.body.expires_at}; ${status}, until ${body.expires_at}; asked for longer: ${longer}`,
  }
}
