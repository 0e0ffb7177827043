import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { generateKey } from '../../../src/domain/keys.ts'
import { aReport } from '../../../test/support/incident.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { ScriptedEndpoint } from '../webhooks/scripted-endpoint.ts'
import { signUp, statusOf, type World } from './world.ts'

const WRONG_KEYS = 100
const AT_ONCE = 8
const MAX_WRONG_KEYS = 60

/** A key that anybody gets can neither report nor confirm. */
export async function probeScopes(world: World): Promise<Check> {
  const { client } = await signUp(world)
  const statuses = [
    await statusOf(client, 'POST', '/v1/reports', aReport()),
    await statusOf(client, 'GET', '/v1/desk/incidents'),
    await statusOf(client, 'POST', '/v1/desk/incidents/inc_01jd8z0c5x0000000000000000/confirm', {}),
  ]
  return {
    name: 'a self-served key can neither report nor use the desk',
    passed: statuses.every((status) => status === 403),
    observed: statuses.join(', '),
  }
}

/** An account can neither read nor change what another account has. */
export async function probeOtherAccounts(world: World): Promise<Check> {
  await using endpoint = await ScriptedEndpoint.open()
  const owner = await signUp(world)
  const { client } = await signUp(world)
  const { body } = await owner.client.requestOnce('POST', '/v1/watches', { name: 'Mine', url: endpoint.url })
  const path = `/v1/watches/${body.id}`
  const statuses = [
    await statusOf(client, 'GET', path),
    await statusOf(client, 'PATCH', path, { name: 'Yours' }),
    await statusOf(client, 'POST', `${path}/test`, {}),
    await statusOf(client, 'POST', `${path}/rotate-secret`, {}),
    await statusOf(client, 'GET', `${path}/deliveries`),
    await statusOf(client, 'DELETE', path),
    await statusOf(client, 'DELETE', `/v1/keys/${owner.keyId}`),
  ]
  const isKept = (await statusOf(owner.client, 'GET', path)) === 200
  return {
    name: "another account's watches and keys do not exist for a stranger",
    passed: statuses.every((status) => status === 404) && isKept && endpoint.received.length === 0,
    observed: statuses.join(', '),
  }
}

/** The key is used before it is revoked, so that a cache has it. */
export async function probeRevokedKey(world: World): Promise<Check> {
  const owner = await signUp(world)
  const { body } = await owner.client.requestOnce('POST', '/v1/keys', { name: 'To be revoked' })
  const client = new Client(String(body.key), () => world.url)
  const before = await statusOf(client, 'GET', '/v1/incidents')
  const revoked = await statusOf(owner.client, 'DELETE', `/v1/keys/${body.id}`)
  const after = await statusOf(client, 'GET', '/v1/incidents')
  return {
    name: 'a revoked key is refused at once',
    passed: before === 200 && revoked === 200 && after === 401,
    observed: `${before}, then ${after}`,
  }
}

/** Counts for the account: another key brings no further requests. */
export async function probeRateLimit(world: World): Promise<Check> {
  const { client } = await signUp(world)
  const { body } = await client.requestOnce('POST', '/v1/keys', { name: 'Another' })
  const clients = [client, new Client(String(body.key), () => world.url)]
  // Creating the key was a request too.
  let admitted = 1
  let withoutRetryAfter = 0
  for (let sent = 0; sent < world.rateLimit * 2; sent++) {
    const { status, retryAfter } = await clients[sent % 2]!.requestOnce('GET', '/v1/taxonomy')
    if (status === 200) admitted++
    else if (status !== 429 || retryAfter === null) withoutRetryAfter++
  }
  return {
    name: `an account is admitted ${world.rateLimit} times a minute over all its keys, then refused with Retry-After`,
    passed: admitted <= world.rateLimit && admitted >= world.rateLimit * 0.9 && withoutRetryAfter === 0,
    observed: `${admitted} of ${world.rateLimit * 2} admitted`,
  }
}

export async function probeWrongKeys(world: World): Promise<Check> {
  let refused = 0
  for (let sent = 0; sent < WRONG_KEYS; sent++) {
    const wrong = new Client(generateKey('live', randomBytes), () => world.url)
    if ((await statusOf(wrong, 'GET', '/v1/incidents')) === 401) refused++
  }
  return {
    name: `an address is told ${MAX_WRONG_KEYS} times a minute that its key is wrong, then it gets 429`,
    passed: refused > 0 && refused <= MAX_WRONG_KEYS,
    observed: `${refused} of ${WRONG_KEYS} got a 401`,
  }
}

/** The same key and body give the same answer, at once and later; another body is refused. */
export async function probeIdempotency({ operator }: World): Promise<Check> {
  const headers = { 'idempotency-key': randomUUID() }
  const send = (summary: string) => operator.requestOnce('POST', '/v1/reports', aReport({ summary }), headers)
  const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => send('One.')))
  const [again, other] = [await send('One.'), await send('Another.')]
  const { body } = await operator.requestOnce('GET', '/v1/desk/incidents?status=reported')
  const stored = (body.data as { summary: string }[]).filter(({ summary }) => summary === 'One.')
  const ids = new Set([...atOnce, again].filter(({ status }) => status === 201).map((answer) => answer.body.id))
  return {
    name: 'an Idempotency-Key gives the same answer again, and none to another body',
    passed: ids.size === 1 && again.status === 201 && stored.length === 1 && other.status === 422,
    observed: `${stored.length} report of ${AT_ONCE} at once and one later, ${ids.size} answer; later ${again.status}, another body ${other.status}`,
  }
}

/** Other users of the machine must not be able to open the files. */
export function probeFileModes({ databaseFile }: World): Check {
  const modes = ['', '-wal', '-shm'].map((suffix) => statSync(databaseFile + suffix).mode & 0o777)
  return {
    name: 'the database files are for their owner only',
    passed: modes.every((mode) => (mode & 0o077) === 0),
    observed: modes.map((mode) => mode.toString(8)).join(', '),
  }
}

/** Reads the database file as a thief would. */
export async function probeSecretsAtRest(world: World): Promise<Check> {
  await using endpoint = await ScriptedEndpoint.open()
  const { client } = await signUp(world)
  const { body } = await client.requestOnce('POST', '/v1/watches', { name: 'Secret', url: endpoint.url })
  const bytes = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(world.databaseFile + suffix)))
  const found = [
    ...(bytes.includes(client.key) ? ['the key'] : []),
    ...(bytes.includes(String(body.secret).replace('whsec_', '')) ? ['the secret of the watch'] : []),
  ]
  return {
    name: 'neither keys nor the secrets of watches can be read in the database file',
    passed: found.length === 0 && bytes.includes(String(body.id)),
    observed: found.join(', ') || 'none',
  }
}
