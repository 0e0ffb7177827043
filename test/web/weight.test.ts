import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/app.ts'
import { browserMissing } from '../support/browser.ts'
import { mapIsThere, minutesAgo, type Stand, startStand } from './stand.ts'

const KILOBYTE = 1000
const MOST_BEFORE_READING = 80 * KILOBYTE
const MOST_IN_ALL = 480 * KILOBYTE
const MOST_OWN_SCRIPTS = 60 * KILOBYTE

describe('what the map weighs', { skip: browserMissing() ?? false, timeout: 120_000 }, () => {
  let stand: Stand
  before(async () => {
    stand = await startStand()
    const severities = ['low', 'medium', 'high', 'critical'] as const
    await stand.app.publish(
      Array.from({ length: 500 }, (_, index) =>
        minutesAgo(index * 60, index, {
          severity: severities[index % 4]!,
          lat: 5 + ((index * 37) % 800) / 100,
          lng: 4 + ((index * 53) % 900) / 100,
          summary: `Number ${index}: armed men attacked travellers on the road and took ${index % 9} of them away.`,
        }),
      ),
    )
  })
  after(() => stand?.[Symbol.asyncDispose]())

  it('lets the newest be read after 80 KB, before the map’s library has come', async () => {
    let loaded: Loaded[] = []
    await using opened = await stand.open('/', {}, async (page) => {
      await page.route(/maplibre/, (route) => route.abort())
      loaded = await weigh(page)
    })
    await until(async () => (await opened.page.locator('.app .rows .row').count()) === 50, 'the list')
    await until(() => loaded.some(({ path }) => path.startsWith('/v1/stats')), 'the counts')
    const bytes = sum(loaded.filter(({ path }) => path === '/' || /main-/.test(path)))
    assert.ok(bytes > 0 && bytes <= MOST_BEFORE_READING, `${bytes} bytes`)
  })

  it('is at most 480 KB with the map, of which our own scripts are at most 60', async (context) => {
    let loaded: Loaded[] = []
    await using opened = await stand.open('/', {}, async (page) => {
      loaded = await weigh(page)
    })
    await mapIsThere(opened.page)
    await until(() => loaded.some(({ path }) => path.startsWith('/v1/tiles')), 'the tiles')
    await opened.page.waitForLoadState('networkidle').catch(() => {})
    const own = sum(loaded.filter(({ path }) => /assets\/(main|start)-.*\.js$/.test(path)))
    const all = sum(loaded)
    context.diagnostic(`${all} bytes in all, ${own} of them our own scripts`)
    for (const { path, bytes } of loaded) context.diagnostic(`${bytes} ${path.slice(0, 80)}`)
    assert.ok(own > 0 && own <= MOST_OWN_SCRIPTS, `${own} bytes of our own scripts`)
    assert.ok(all <= MOST_IN_ALL, `${all} bytes in all`)
    assert.ok(
      loaded.some(({ path }) => /maplibre-gl-worker/.test(path)),
      'the worker was weighed too',
    )
  })
})

interface Loaded {
  readonly path: string
  readonly bytes: number
}

function sum(loaded: readonly Loaded[]): number {
  return loaded.reduce((total, { bytes }) => total + bytes, 0)
}

/** What comes over the wire, headers and all, workers too. */
async function weigh(page: Page): Promise<Loaded[]> {
  const loaded: Loaded[] = []
  page.on('requestfinished', async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    loaded.push({
      path: new URL(request.url()).pathname + new URL(request.url()).search,
      bytes: responseBodySize + responseHeadersSize,
    })
  })
  return loaded
}
