import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { after, before, describe, it, type TestContext } from 'node:test'
import { CACHING } from '../../src/api/caching.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { type Nginx, SERVER_NAME, startNginx } from '../support/external-programs.ts'
import { anIncident } from '../support/incident.ts'
import { freePort } from '../support/receivers.ts'
import { signIn } from '../support/sign-in.ts'

const KEPT_MS = 1000 * Number(/s-maxage=(\d+)/.exec(CACHING.live.shared)![1])

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-GB,en;q=0.7',
}

describe('the sample for nginx that keeps answers', () => {
  let service: TestApp
  let nginx: Nginx | string
  let mapKey: string
  let number = 0

  before(async () => {
    const purgePort = await freePort()
    const PURGE_URL = `http://127.0.0.1:${purgePort}/purge`
    service = await startTestApp({ TRUST_PROXY: 'loopback', PUBLIC_URL: `https://${SERVER_NAME}`, PURGE_URL })
    const page = await (await service.get('/', null)).text()
    mapKey = JSON.parse(/id="initial-data">(.*?)<\/script>/s.exec(page)![1]!).key
    nginx = await startNginx(Number(new URL(service.url).port), { purgePort })
  })
  after(async () => {
    if (typeof nginx === 'object') await nginx[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  /** Skips aloud where there is no nginx. */
  function isMissing(context: TestContext): boolean {
    if (typeof nginx === 'string') context.skip(nginx)
    return typeof nginx === 'string'
  }

  /** Returns the status, whether nginx had the answer (`HIT`), and its text. */
  async function get(path: string, headers: Record<string, string> = {}) {
    const { port, certificate } = nginx as Nginx
    const options = { host: '127.0.0.1', port, path, servername: SERVER_NAME, ca: certificate, agent: false }
    const sent = request({ ...options, headers: { host: SERVER_NAME, ...headers } }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of answer) parts.push(part)
    const text = Buffer.concat(parts).toString()
    return { status: answer.statusCode!, cache: answer.headers['x-cache'], headers: answer.headers, text }
  }

  const asMap = (key = mapKey) => ({ authorization: `Bearer ${key}` })
  const cacheOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).cache

  it('keeps pages, tiles, lists and statistics for everybody', async (context) => {
    if (isMissing(context)) return
    await service.publish([anIncident(++number)])
    const pages = ['/', '/nigeria', '/nigeria/kaduna', `/incidents/${anIncident(number).id}`, '/preview.png']
    const reads = ['/v1/tiles/5/16/15.mvt', '/v1/incidents?state=Kaduna', '/v1/stats?group_by=state']
    for (const path of pages)
      assert.deepEqual([await cacheOf(path, BROWSER), await cacheOf(path, BROWSER)], ['MISS', 'HIT'], path)
    for (const path of reads)
      assert.deepEqual([await cacheOf(path, asMap()), await cacheOf(path, asMap())], ['MISS', 'HIT'], path)
  })

  it('knows the same question by its meaning, and others apart', async (context) => {
    if (isMissing(context)) return
    const path = '/about'
    assert.equal(await cacheOf(path, BROWSER), 'MISS')
    const same = [
      { ...BROWSER, 'accept-language': 'en-US,en;q=0.9,fr;q=0.8' },
      { ...BROWSER, 'accept-language': 'fr-FR,en;q=0.3' },
      { ...BROWSER, accept: 'text/html' },
      { ...BROWSER, 'accept-encoding': 'gzip, deflate, br, zstd' },
    ]
    for (const headers of same) assert.equal(await cacheOf(path, headers), 'HIT', JSON.stringify(headers))
    for (const marks of ['?utm_source=a&utm_medium=b', '?fbclid=x', '?&gclid=1'])
      assert.notEqual(await cacheOf(`${path}${marks}`, BROWSER), 'MISS', marks)
    const hausa = await get(path, { ...BROWSER, 'accept-language': 'ha-NG,en;q=0.5', 'accept-encoding': 'identity' })
    assert.deepEqual([hausa.cache, hausa.headers['content-language']], ['MISS', 'ha'])
    const plain = await get(path, { ...BROWSER, 'accept-encoding': 'br;q=0, identity' })
    assert.deepEqual([plain.cache, plain.headers['content-encoding']], ['MISS', undefined])
    assert.equal(await cacheOf(`${path}?lang=yo`, BROWSER), 'MISS')
    const id = anIncident(number).id
    const page = await get(`/incidents/${id}`, BROWSER)
    const api = await get(`/incidents/${id}`, asMap())
    assert.deepEqual(
      [page.headers['content-type'], api.headers['content-type']].map((type) => String(type).split(';')[0]),
      ['text/html', 'application/json'],
    )
    const csv = await get('/v1/incidents', { ...asMap(), accept: 'text/csv' })
    const json = await get('/v1/incidents', asMap())
    assert.match(String(csv.headers['content-type']), /csv/)
    assert.match(String(json.headers['content-type']), /json/)
  })

  it('gives two people what is theirs, and nobody what is another’s', async (context) => {
    if (isMissing(context)) return
    const [one, other] = [await signIn(service, 'editor'), await signIn(service, 'client')]
    const { text: key } = await service.issue()
    for (let round = 0; round < 2; round++) {
      for (const person of [one, other]) {
        const me = await get('/v1/me', { cookie: person.cookie, 'sec-fetch-site': 'same-origin' })
        assert.equal(JSON.parse(me.text).account.id, person.account.id)
        assert.equal(me.cache, 'BYPASS')
      }
      const live = await get('/v1/me', asMap(key))
      assert.equal(live.status, 200)
      assert.notEqual(JSON.parse(live.text).account.id, one.account.id)
      // The same address as the map's, which is kept.
      for (const headers of [asMap(key), { cookie: one.cookie, 'sec-fetch-site': 'same-origin' }]) {
        const list = await get('/v1/incidents', headers as Record<string, string>)
        assert.deepEqual([list.status, list.cache, list.headers['cache-control']], [200, 'BYPASS', 'private, no-cache'])
      }
      assert.equal((await get('/v1/incidents')).status, 401)
      assert.equal((await get('/v1/me')).status, 401)
      assert.equal((await get('/v1/incidents', asMap(`${key.slice(0, -1)}0`))).status, 401)
      const desk = await get('/desk', { ...BROWSER, cookie: one.cookie })
      assert.equal(desk.status, 200)
      assert.equal((await get('/desk', BROWSER)).status, 303)
    }
  })

  it('asks the service once when many ask at once', async (context) => {
    if (isMissing(context)) return
    const answers = await Promise.all(Array.from({ length: 30 }, () => get('/nigeria/kano', BROWSER)))
    assert.deepEqual(answers.filter(({ cache }) => cache === 'MISS').length, 1)
    assert.ok(answers.every(({ status, text }) => status === 200 && text === answers[0]!.text))
  })

  it('forgets what was retracted, and what was redacted, as soon as it is told', async (context) => {
    if (isMissing(context)) return
    const at = new Date().toISOString()
    const incident = anIncident(++number, { summary: 'Named Person was seen.', published_at: at, occurred_at: at })
    await service.publish([incident])
    const page = `/incidents/${incident.id}`
    const list = `/v1/incidents?min_seq=${service.archive.head.seq}`
    const plain = { ...BROWSER, 'accept-encoding': 'identity' }
    const showing = [
      async () => (await get(page, plain)).text,
      async () => (await get('/?state=NG-KD', plain)).text,
      async () => (await get('/nigeria/kaduna', plain)).text,
      async () => (await get(list, asMap())).text,
      async () => (await get(`/v1/incidents/${incident.id}`, asMap())).text,
    ]
    // A purge of before may be repeated in between: whatever it removes is kept again.
    for (const show of showing) for (let round = 0; round < 2; round++) assert.match(await show(), /Named Person/)
    const editor = await signIn(service, 'editor')
    const decide = async (action: string, body: unknown) => {
      const response = await editor.send('POST', `/v1/desk/incidents/${incident.id}/${action}`, body)
      assert.equal(response.status, 200, await response.text())
      return performance.now()
    }
    // By itself nothing that is kept would have expired yet.
    const assertInTime = (since: number) =>
      assert.ok(performance.now() - since < KEPT_MS, `${performance.now() - since}`)
    const redacted = await decide('redact', { words: ['Named Person'], reason: 'They asked for it.' })
    for (const show of showing) await until(async () => !(await show()).includes('Named Person'), show.toString())
    assertInTime(redacted)
    // The repetition of this purge would do for the next one.
    await until(async () => (await service.store.fanOut.purgedSeq()) === service.archive.head.seq, 'the second telling')
    for (const show of showing) for (let round = 0; round < 2; round++) assert.match(await show(), /\[redacted\]/)
    const retracted = await decide('retract', {})
    await until(async () => (await get(page, BROWSER)).status === 410)
    await until(async () => (await get(`/v1/incidents/${incident.id}`, asMap())).status === 410)
    assertInTime(retracted)
    await until(async () => (await cacheOf(page, BROWSER)) === 'HIT')
  })
})
