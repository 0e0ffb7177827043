import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import { readListening } from '../../../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

const TOKEN = 'Bearer s3cret-of-the-endpoint'

interface Watch {
  id: string
  secret: string
  headers: Record<string, string>
}

let app: TestApp
let endpoint: TestEndpoint
let key: string
const offset = 0
let numbers = 0
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: () => Date.now() + offset })
  endpoint = await startEndpoint()
})
beforeEach(async () => {
  endpoint.messages.length = 0
  endpoint.answer = (response) => response.writeHead(204).end()
  key = (await app.issue()).text
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

const create = (headers: unknown) =>
  app.post('/v1/watches', { name: `Mine ${++numbers}`, url: endpoint.url, headers }, key)
const change = (id: string, headers: unknown) => app.patch(`/v1/watches/${id}`, { headers }, key, null)

async function watching(headers: unknown): Promise<Watch> {
  const response = await create(headers)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Watch
}

async function changed(id: string, headers: unknown): Promise<Watch['headers']> {
  const response = await change(id, headers)
  assert.equal(response.status, 200, await response.clone().text())
  return ((await response.json()) as Watch).headers
}

/** Sends a test and returns the headers that arrived. */
async function arrivedHeaders(id: string) {
  const { length } = endpoint.messages
  assert.equal((await app.post(`/v1/watches/${id}/test`, {}, key)).status, 200)
  return endpoint.messages.slice(length).find(({ json }) => json.watch_id === id)!.headers
}

describe('headers of a watch', () => {
  it('arrive with messages and tests, which verify as before, and are shown masked', async () => {
    const { id, secret, headers } = await watching({ 'X-Team': 'roads', Authorization: TOKEN })
    assert.deepEqual(headers, { 'X-Team': '***', Authorization: '***' })
    await app.publish([anIncident(++numbers)])
    const arrived = () => endpoint.messages.find(({ json }) => json.watch_id === id)
    await until(() => arrived() !== undefined, 'the message')
    const message = arrived()!
    assert.equal(message.headers['x-team'], 'roads')
    assert.equal(message.headers.authorization, TOKEN)
    assert.equal(message.headers['content-type'], 'application/json')
    new Webhook(secret).verify(message.body, message.headers as Record<string, string>)
    assert.equal((await arrivedHeaders(id)).authorization, TOKEN)
    for (const path of [`/v1/watches/${id}`, '/v1/watches']) {
      const text = await (await app.get(path, key)).text()
      assert.match(text, /"headers":\{"X-Team":"\*\*\*","Authorization":"\*\*\*"\}/)
      assert.doesNotMatch(text, /s3cret|"roads"/)
    }
  })

  it('are in the log of deliveries by name only', async () => {
    const { id } = await watching({ 'X-Team': TOKEN })
    await app.publish([anIncident(++numbers)])
    const delivery = async () => {
      const { data } = (await (await app.get(`/v1/watches/${id}/deliveries?status=delivered`, key)).json()) as {
        data: { id: string }[]
      }
      return data[0]
    }
    await until(async () => (await delivery()) !== undefined, 'the delivery')
    const text = await (await app.get(`/v1/deliveries/${(await delivery())!.id}`, key)).text()
    const { log, next } = JSON.parse(text) as { log: Watch[]; next: Watch }
    assert.equal(log[0]!.headers['X-Team'], '***')
    assert.equal(next.headers['X-Team'], '***')
    assert.doesNotMatch(text, /s3cret/)
  })

  it('are not told to a listener', async () => {
    const { id } = await watching({ 'X-Team': TOKEN })
    await using reader = await readListening(`${app.url}/v1/listen?watch=${id}`, key, {})
    await until(() => reader.events().length > 0, 'the first event')
    await arrivedHeaders(id)
    await until(() => reader.messages().length > 0, 'the test')
    const [message] = reader.messages()
    assert.ok((message!.headers as Record<string, string>)['webhook-signature'])
    assert.doesNotMatch(JSON.stringify(message), /X-Team|s3cret/i)
  })

  it('are replaced by a change, in which *** keeps a value', async () => {
    const { id } = await watching({ 'X-Team': 'roads', 'X-Old': 'old' })
    assert.deepEqual(await changed(id, { 'x-team': '***', 'X-New': 'new' }), { 'x-team': '***', 'X-New': '***' })
    const arrived = await arrivedHeaders(id)
    assert.deepEqual([arrived['x-team'], arrived['x-new'], arrived['x-old']], ['roads', 'new', undefined])
    const { errors } = await problemOf(await change(id, { 'X-Old': '***' }))
    assert.deepEqual(errors, [{ pointer: '/headers/X-Old', message: 'has no value that *** could keep: send one' }])
    await problemOf(await create({ 'X-Team': '***' }))
    assert.equal((await arrivedHeaders(id))['x-team'], 'roads', 'a refused change changes nothing')
    await app.patch(`/v1/watches/${id}`, { description: 'Another' }, key, null)
    assert.equal((await arrivedHeaders(id))['x-team'], 'roads', 'another change leaves them')
    assert.deepEqual(await changed(id, null), {})
    assert.equal((await arrivedHeaders(id))['x-team'], undefined)
    await changed(id, { 'X-Team': 'again' })
    assert.deepEqual(await changed(id, {}), {})
  })

  it('are not sent to another origin unless they are given again', async () => {
    await using other = await startEndpoint()
    const { id } = await watching({ 'X-Team': 'roads', Authorization: TOKEN })
    const move = (body: object) => app.patch(`/v1/watches/${id}`, body, key, null)
    const { origin } = new URL(endpoint.url)
    const { code, errors } = await problemOf(await move({ url: other.url, name: 'Moved' }))
    assert.deepEqual([code, errors], [
      'invalid_body',
      [
        {
          pointer: '/headers',
          message: `must be sent with a URL of another origin: the values of X-Team, Authorization were given for ${origin}; send them again, or {} to remove them`,
        },
      ],
    ]) // biome-ignore format: one check
    const kept = { 'x-team': 'roads', Authorization: '***' }
    assert.deepEqual((await problemOf(await move({ url: other.url, headers: kept }))).errors, [
      {
        pointer: '/headers/Authorization',
        message: `cannot be kept with ***: the value was given for ${origin}; send it again, or leave the header out`,
      },
    ])
    assert.equal((await arrivedHeaders(id)).authorization, TOKEN, 'a refused change changes nothing')
    assert.equal((await move({ url: `${endpoint.url}/other` })).status, 200, 'the same origin')
    assert.equal((await arrivedHeaders(id)).authorization, TOKEN)
    assert.equal((await move({ url: other.url, headers: { 'X-Team': 'again' } })).status, 200)
    assert.equal((await app.post(`/v1/watches/${id}/test`, {}, key)).status, 200)
    const [{ headers }] = other.messages as [(typeof other.messages)[number]]
    assert.deepEqual([headers['x-team'], headers.authorization], ['again', undefined])
    assert.equal((await move({ url: endpoint.url, headers: null })).status, 200)
    assert.equal((await arrivedHeaders(id))['x-team'], undefined)
  })

  it('are those of the moment for a delivery that is pending already', async () => {
    endpoint.answer = (response) => response.writeHead(500).end()
    const { id } = await watching({ 'X-Team': 'before' })
    await app.publish([anIncident(++numbers)])
    const mine = () => endpoint.messages.filter(({ json }) => json.watch_id === id)
    const attempts = async () => {
      const { data } = (await (await app.get(`/v1/watches/${id}/deliveries`, key)).json()) as {
        data: { attempts: number }[]
      }
      return data[0]?.attempts
    }
    await until(async () => (await attempts()) === 1, 'the first attempt')
    await changed(id, { 'X-Team': 'after' })
    assert.equal((await app.post(`/v1/watches/${id}/retry`, undefined, key)).status, 200)
    await until(() => mine().length === 2, 'the second attempt')
    assert.deepEqual(
      mine().map(({ headers }) => headers['x-team']),
      ['before', 'after'],
    )
  })
})

describe('headers that are refused', () => {
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a']))
  const reserved = ['Host', 'content-length', 'Content-Type', 'Webhook-Signature', 'webhook-id', 'User-Agent']
  const ofConnections = ['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect']
  const others = ['Proxy-Authorization', 'Cookie2', 'X-Forwarded-For', 'Accept-Encoding']
  const refused: [string, unknown, RegExp][] = [
    ['a line break in a value', { 'X-Team': 'a\r\nX-Evil: 1' }, /^\/headers\/X-Team must be a text of 1 to 1024/],
    ['a line feed at the end of a value', { 'X-Team': 'a\n' }, /printable ASCII/],
    ['a NUL in a value', { 'X-Team': 'a\0' }, /printable ASCII/],
    ['other letters in a value', { 'X-Team': 'Şalgam' }, /printable ASCII/],
    ['an empty value', { 'X-Team': '' }, /printable ASCII/],
    ['a number as a value', { 'X-Team': 5 }, /printable ASCII/],
    ['a long value', { 'X-Team': 'a'.repeat(1025) }, /1 to 1024/],
    ['a line break in a name', { 'X-Team\r\nX-Evil': 'a' }, /has a name with other characters/],
    ['a colon in a name', { 'X-Team:': 'a' }, /has a name with other characters/],
    ['an empty name', { '': 'a' }, /has a name with other characters/],
    ['a long name', { ['X'.repeat(65)]: 'a' }, /more than 64 characters/],
    ['eleven', eleven, /^\/headers has 11 headers; a watch may have 10/],
    ['the same name in another case', { 'X-Team': 'a', 'x-tEAM': 'b' }, /^\/headers\/x-tEAM is there twice/],
    ['a list', ['X-Team'], /^\/headers must be an object/],
    ['a text', 'X-Team: a', /^\/headers must be an object/],
    ...[...reserved, ...ofConnections, ...others].map((name): [string, unknown, RegExp] => [
      name,
      { [name]: 'a' },
      new RegExp(`^/headers/${name} cannot be set: `),
    ]),
  ]
  for (const [name, headers, detail] of refused) {
    it(`${name}, when a watch is created and when it is changed`, async () => {
      const problem = await problemOf(await create(headers))
      assert.equal(problem.code, 'invalid_body')
      assert.match(problem.detail, detail)
      const { id } = await watching({ 'X-Team': 'roads' })
      assert.match((await problemOf(await change(id, headers))).detail, detail)
      assert.equal((await arrivedHeaders(id))['x-team'], 'roads')
    })
  }

  it('take names and values of the longest length, and names that JavaScript knows', async () => {
    const longest = 'X'.repeat(64)
    const { id } = await watching(
      JSON.parse(`{"${longest}":"${'~'.repeat(1024)}","__proto__":"own","constructor":"too"}`),
    )
    const arrived = await arrivedHeaders(id)
    assert.equal(arrived[longest.toLowerCase()], '~'.repeat(1024))
    assert.equal(Object.getOwnPropertyDescriptor(arrived, 'constructor')?.value, 'too')
  })
})
