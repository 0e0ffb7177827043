import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp } from '../../support/app.ts'

/** Connects the official client: `auto` speaks the newest revision, `legacy` those of 2025. */
export async function connect(app: TestApp, key: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return client
}
