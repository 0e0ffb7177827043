import assert from 'node:assert/strict'
import { until } from '../support/app.ts'
import type { RunningDemo } from './installed-package.ts'

/** Asks for what every part of an installation does: incidents, pages with their files, threads. */
export async function checkDemo({ url, key }: RunningDemo): Promise<void> {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, url), { headers })
    assert.equal(response.status, 200, path)
    return response
  }
  const authorized = { authorization: `Bearer ${key}` }
  const { data } = (await (await get('/v1/incidents?limit=5', authorized)).json()) as { data: object[] }
  assert.equal(data.length, 5)

  const page = await (await get('/')).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(assets.length > 2, 'the page names its scripts and styles')
  const scripts = await Promise.all(assets.map(async (path) => (await get(path)).text()))
  const worker = /\/assets\/maplibre-gl-worker-[\w-]+\.mjs/.exec(scripts.join())?.[0]
  assert.ok(worker, 'a script names the worker of the map')
  assert.match((await get(worker)).headers.get('content-type')!, /^text\/javascript/)
  await get('/docs/start')

  // Each of these is done by a worker thread.
  const preview = /property="og:image" content="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  assert.equal((await get(preview)).headers.get('content-type'), 'image/png')
  await until(
    async () => /source_polls_total\{[^}]*\} [1-9]/.test(await (await get('/metrics')).text()),
    'a poll of the news feed',
  )
}
