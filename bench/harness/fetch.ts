import type { Server } from './load.ts'

/** Fetches the uncompressed body; throws if the status is not 2xx. */
export async function fetchBytes({ child, headers }: Server, path: string): Promise<Buffer> {
  const response = await fetch(child.hello.url + path, { headers: { ...headers, 'accept-encoding': 'identity' } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

export interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

export async function fetchPage(server: Server, path: string): Promise<Page> {
  return JSON.parse((await fetchBytes(server, path)).toString()) as Page
}
