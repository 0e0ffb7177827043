import type { Check } from '../../harness/check.ts'
import { ScriptedEndpoint } from '../webhooks/scripted-endpoint.ts'
import { signUp, type World } from './world.ts'

/** A redirect could lead past the guard. */
export async function probeRedirect(world: World): Promise<Check> {
  await using target = await ScriptedEndpoint.open()
  await using endpoint = await ScriptedEndpoint.open()
  endpoint.response = { status: 307, headers: { location: target.url } }
  const { client } = await signUp(world)
  const created = await client.requestOnce('POST', '/v1/watches', { name: 'Redirect', url: endpoint.url })
  const { body } = await client.requestOnce('POST', `/v1/watches/${created.body.id}/test`, {})
  return {
    name: 'a redirect is a failure and is not followed',
    passed: body.delivered === false && endpoint.received.length === 1 && target.received.length === 0,
    observed: `delivered ${body.delivered}, ${endpoint.received.length} messages at the endpoint, ${target.received.length} at its target`,
  }
}

/**
 * `guarded` is a service on the same database without WEBHOOK_ALLOW_PRIVATE: it refuses new watches
 * on private addresses, and sends nothing to those that exist.
 */
export async function probeGuard(world: World, guarded: World): Promise<Check> {
  await using endpoint = await ScriptedEndpoint.open()
  const { client } = await signUp(world)
  const url = endpoint.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost')
  const created = await client.requestOnce('POST', '/v1/watches', { name: 'Inside', url })
  const stranger = client.withUrl(() => guarded.url)
  const refused: number[] = []
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '10.0.0.1', '[::ffff:127.0.0.1]']) {
    const watch = { name: host, url: `https://${host}:8443/hook` }
    refused.push((await stranger.requestOnce('POST', '/v1/watches', watch)).status)
  }
  const { body } = await stranger.requestOnce('POST', `/v1/watches/${created.body.id}/test`, {})
  const { connections } = endpoint
  return {
    name: 'nothing is sent to private addresses, also where a watch already exists',
    passed:
      created.status === 201 &&
      refused.every((status) => status === 422) &&
      body.delivered === false &&
      connections === 0,
    observed: `${refused.join(', ')}; ${connections} connections; ${body.message}`,
  }
}
