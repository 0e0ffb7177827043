import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { override, until } from '../../support/app.ts'
import { type Answer, type FeedServer, rss, sendFeed, sendStatus, startFeedServer } from '../../support/receivers.ts'
import { type PollingScene, pollingScene, type SourceBody } from './polling-scene.ts'

const STORY = {
  guid: 'story-1',
  title: 'Boko Haram fighters kill 9 farmers in Konduga, Borno',
  text: 'Boko Haram fighters on Monday killed nine farmers on their fields outside Konduga in Borno State, a local official said.',
}
const TIMEOUT_MS = 1_500

/** Sends megabytes for as long as the client reads. */
const endless: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  const block = Buffer.alloc(1_000_000, ' ')
  const write = () => {
    while (!response.destroyed && response.write(block));
    response.once('drain', write)
  }
  write()
}
const redirect =
  (to: (path: string) => string, status = 301): Answer =>
  (request, response) => {
    response.writeHead(status, { location: to(request.url!) })
    response.end()
  }

interface Hostile {
  readonly what: string
  readonly answer: Answer
  readonly code: string
  readonly detail: RegExp
}

const HOSTILE: readonly Hostile[] = [
  { what: 'a redirect to itself', answer: redirect((path) => path), code: 'too_many_redirects', detail: /leads back/ },
  {
    what: 'endless redirects',
    answer: redirect((path) => `${path}x`, 302),
    code: 'too_many_redirects',
    detail: /limit is 5/,
  },
  {
    what: 'a redirect to nowhere',
    answer: redirect(() => 'http://[x'),
    code: 'too_many_redirects',
    detail: /not valid/,
  },
  {
    what: 'a redirect to a metadata service',
    answer: redirect(() => 'http://169.254.169.254/latest/meta-data/'),
    code: 'refused_address',
    detail: /metadata service/,
  },
  {
    what: 'a character set with NUL in its name',
    answer: sendFeed('<?xml version="1.0" encoding="x\0y"?><rss version="2.0"></rss>'),
    code: 'bad_encoding',
    detail: /"x\ufffdy"/,
  },
  { what: '500', answer: sendStatus(500), code: 'server_error', detail: /500/ },
  { what: '410', answer: sendStatus(410), code: 'gone', detail: /410/ },
  { what: '404', answer: sendStatus(404), code: 'not_found', detail: /404/ },
  { what: '403', answer: sendStatus(403), code: 'forbidden', detail: /403/ },
  { what: 'garbage', answer: sendFeed(Buffer.from([0, 1, 2, 255, 254, 60, 62])), code: 'not_a_feed', detail: /RSS/ },
  { what: 'a web page', answer: sendFeed('<html><body>Hello</body></html>'), code: 'not_a_feed', detail: /RSS/ },
  { what: 'half a feed', answer: sendFeed(rss([STORY]).slice(0, 300)), code: 'not_a_feed', detail: /RSS/ },
  {
    what: '50 MB announced',
    answer: (_, response) => response.writeHead(200, { 'content-length': 50_000_000 }).write('x'),
    code: 'too_large',
    detail: /5 MB/,
  },
  { what: '50 MB unannounced', answer: endless, code: 'too_large', detail: /5 MB/ },
  {
    what: 'a gzip bomb',
    answer: sendFeed(gzipSync(Buffer.alloc(200_000_000)), { 'content-encoding': 'gzip' }),
    code: 'too_large',
    detail: /5 MB/,
  },
  {
    what: 'a body that is not what its encoding says',
    answer: sendFeed('plain', { 'content-encoding': 'gzip' }),
    code: 'bad_encoding',
    detail: /Z_/,
  },
  {
    what: 'an unknown encoding',
    answer: sendFeed('x', { 'content-encoding': 'gzip, gzip' }),
    code: 'bad_encoding',
    detail: /gzip, gzip/,
  },
  {
    what: 'an unknown character set',
    answer: sendFeed(rss([STORY]), { 'content-type': 'text/xml; charset=klingon' }),
    code: 'bad_encoding',
    detail: /klingon/,
  },
  { what: 'no answer', answer: () => {}, code: 'timeout', detail: /1.5 seconds/ },
  {
    what: 'a drip of bytes',
    answer(_, response) {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(timer))
    },
    code: 'timeout',
    detail: /1.5 seconds/,
  },
  {
    what: 'a closed connection',
    answer: (request) => request.socket.destroy(),
    code: 'connection_failed',
    detail: /closed the connection/,
  },
  {
    what: 'no HTTP',
    answer: (request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n\r\n'),
    code: 'unexpected_answer',
    detail: /not HTTP/,
  },
]

describe('a hostile feed server', () => {
  let server: FeedServer
  let scene: PollingScene
  let source: SourceBody

  before(async () => {
    server = await startFeedServer(sendFeed(rss([STORY])))
    scene = await pollingScene('sqlite::memory:', true, TIMEOUT_MS)
    source = await scene.addSource(server.url)
  })
  after(async () => {
    await scene[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  for (const { what, answer, code, detail } of HOSTILE)
    it(`that sends ${what} is failing with ${code}, and loses and doubles nothing`, async () => {
      server.answer(answer)
      const { health } = await scene.poll(source.id)
      assert.deepEqual([health.status, health.problem?.code], ['failing', code], JSON.stringify(health.problem))
      assert.match(health.problem!.detail, detail)
      assert.ok(health.failures >= 1 && Date.parse(health.next_fetch_at!) > Date.now() + 50 * 60_000)
      server.answer(sendFeed(rss([STORY])))
      const recovered = await scene.poll(source.id)
      assert.deepEqual([recovered.health.status, recovered.health.failures], ['healthy', 0])
      assert.equal((await scene.reports()).length, 1)
    })

  it('that asks for a pause is given it', async () => {
    server.answer(sendStatus(429, { 'retry-after': '36000' }))
    const { health } = await scene.poll(source.id)
    assert.equal(health.problem!.code, 'rate_limited')
    const wait = Date.parse(health.next_fetch_at!) - Date.now()
    assert.ok(wait > 35_900_000 && wait <= 36_000_000, `${wait}`)
  })

  it('is asked with what it said last, and 304 is a success', async () => {
    server.answer(sendFeed(rss([STORY]), { etag: '"v1"', 'last-modified': 'Mon, 16 Nov 2026 10:00:00 GMT' }))
    await scene.poll(source.id)
    server.answer(sendStatus(304))
    const { health } = await scene.poll(source.id)
    assert.equal(health.status, 'healthy')
    const { headers } = server.requests.at(-1)!
    assert.deepEqual(
      [headers['if-none-match'], headers['if-modified-since']],
      ['"v1"', 'Mon, 16 Nov 2026 10:00:00 GMT'],
    )
    assert.match(headers['user-agent']!, /^incident-feed\/\S+ \(\+http/)
  })

  it('is read whole again after a month without a change: its items are still shown', async () => {
    const { sources } = scene.app.store
    const { polling } = (await sources.find(source.id))!
    const whole = { ...polling, etag: '"v1"', lastModified: null, readAt: Date.now() - 31 * 86_400_000 }
    await sources.recordPoll({ sourceId: source.id, url: source.url, polling: whole, dueAt: Date.now() + 60_000 })
    server.answer(sendFeed(rss([STORY]), { etag: '"v1"' }))
    await scene.poll(source.id)
    assert.equal(server.requests.at(-1)!.headers['if-none-match'], undefined)
    server.answer(sendStatus(304))
    await scene.poll(source.id)
    assert.equal(server.requests.at(-1)!.headers['if-none-match'], '"v1"')
  })

  it('is asked once though what is due was read before its poll ended', async () => {
    const { store } = scene.app
    const { sources } = store
    const asked = server.requests.length
    const [readAgain, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    server.answer(async (request, response) => {
      await readAgain.promise
      sendFeed(rss([STORY]))(request, response)
    })
    let readsSince = 0
    override(store, 'sources', {
      async due(now, limit) {
        const due = await sources.due(now, limit)
        if (server.requests.length === asked || ++readsSince > 1) return due
        readAgain.resolve()
        await recorded.promise
        await setImmediate()
        return due
      },
      async recordPoll(poll) {
        await sources.recordPoll(poll)
        recorded.resolve()
      },
    })
    await scene.poll(source.id)
    await until(() => readsSince > 3, 'further looks at what is due')
    Object.assign(store, { sources })
    assert.equal(server.requests.length, asked + 1)
  })

  it('that has moved is followed, and its health says where to', async () => {
    server.answer((request, response) => {
      if (request.url === '/new') sendFeed(rss([STORY]))(request, response)
      else redirect(() => '/new', 308)(request, response)
    })
    const { health } = await scene.poll(source.id)
    assert.deepEqual([health.status, health.moved_to], ['healthy', new URL('/new', server.url).href])
  })

  it('is read compressed, and in other character sets', async () => {
    const latin = rss([{ ...STORY, title: 'Attaque à Maïduguri' }]).replace('1.0"', '1.0" encoding="windows-1252"')
    server.answer(sendFeed(gzipSync(Buffer.from(latin, 'latin1')), { 'content-encoding': 'gzip' }))
    assert.equal((await scene.poll(source.id)).health.status, 'healthy')
  })

  it('that keeps the reader busy for ever holds up no request', async () => {
    server.answer(sendFeed(`<rss version="2.0"><channel><title>x</title><item><title>${'<'.repeat(400_000)}`))
    const { health } = await scene.poll(source.id)
    assert.ok(['unreadable', 'not_a_feed'].includes(health.problem!.code), health.problem!.code)
  })
})

describe('the guard', () => {
  it('refuses a source in a private network when it is added and when it is fetched', async () => {
    await using server = await startFeedServer(sendFeed(rss([STORY])))
    await using scene = await pollingScene('sqlite::memory:', false)
    const { app, key } = scene
    for (const url of [server.url, 'https://127.0.0.1/feed', 'https://10.0.0.1/', 'https://localhost/feed']) {
      const response = await app.post('/v1/admin/sources', { url, publisher: 'Herald' }, key)
      assert.equal(response.status, 422, url)
      const { errors } = (await response.json()) as { errors: { pointer: string }[] }
      assert.equal(errors[0]!.pointer, '/url')
    }
    const withPassword = 'https://reader:s3cret@example.org/feed'
    const paused = { publisher: 'Herald', paused: true }
    const added = await app.post('/v1/admin/sources', { url: 'https://1.1.1.1/feed', ...paused }, key)
    const path = `/v1/admin/sources/${((await added.json()) as { id: string }).id}`
    const changed = app.patch(path, { url: withPassword }, key, '*')
    for (const refused of [await app.post('/v1/admin/sources', { url: withPassword, ...paused }, key), await changed]) {
      assert.equal(refused.status, 422)
      const text = await refused.text()
      assert.match(text, /\/url contains a user name or password, which lists and logs would show; leave it out/)
      assert.ok(!text.includes('s3cret'))
    }
    const stored = {
      kind: 'feed',
      publisher: 'Herald',
      everyMinutes: 60,
      paused: false,
      createdAt: 0,
      dueAt: 0,
    } as const
    const id = 'src_00000000000000000000000001'
    await app.store.sources.add({ ...stored, id, url: server.url, urlKey: 'x' }, 10)
    const { health } = await scene.poll(id)
    assert.equal(health.problem!.code, 'refused_address')
    // As an older version took it.
    const old = `${id.slice(0, -1)}2`
    await app.store.sources.add({ ...stored, id: old, url: withPassword, urlKey: 'y' }, 10)
    const { problem } = (await scene.poll(old)).health
    assert.deepEqual([problem!.code, /user name or password/.test(problem!.detail)], ['refused_address', true])
    assert.ok(!problem!.detail.includes('s3cret'))
    assert.equal(server.requests.length, 0)
  })
})
