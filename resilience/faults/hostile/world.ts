import { Client } from '../../harness/clients/client.ts'

/** A running service, as a stranger finds it. */
export interface World {
  readonly url: string
  /** The file of its database. */
  readonly databaseFile: string
  /** The operator of the service, with all rights. */
  readonly operator: Client
  /** The requests that a key may make in a minute. */
  readonly rateLimit: number
}

/** A client with its own account, and the id of its key. */
export interface Stranger {
  readonly client: Client
  readonly keyId: string
}

let count = 0

/** Signs up, as anybody can. */
export async function signUp(world: World): Promise<Stranger> {
  const response = await fetch(`${world.url}/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `stranger-${++count}@example.org` }),
  })
  const { id, key } = (await response.json()) as { id: string; key: string }
  if (response.status !== 201) throw new Error(`signing up got status ${response.status}`)
  return { client: new Client(key, () => world.url), keyId: id }
}

/** Sends a request and returns its status. */
export async function statusOf(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  return (await client.requestOnce(method, path, body)).status
}
