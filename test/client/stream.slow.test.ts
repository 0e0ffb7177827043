import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ConnectionState,
  type FeedChange,
  type Incident,
  IncidentFeed,
  PositionLostError,
} from '../../client/src/index.ts'
import { randomInteger, seededRandom } from '../../src/lib/random.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'
import { startCuttingProxy } from './support/cutting-proxy.ts'

const CUTS = 100

/** The copy that a follower of the changes has in the end. */
function copyOf(changes: readonly FeedChange[]): Map<string, Incident> {
  const copy = new Map<string, Incident>()
  for (const { incident_id: id, incident } of changes) {
    if (incident === null) copy.delete(id)
    else copy.set(id, incident)
  }
  return copy
}

const shape = ({ position, event, incident_id }: FeedChange) => `${position} ${event} ${incident_id}`

async function allChanges(feed: IncidentFeed, after: string | number = 0): Promise<FeedChange[]> {
  return Array.fromAsync(feed.changes({ after }))
}

async function publishSteps(app: TestApp, step: number): Promise<void> {
  await app.publish([anIncident(step), anIncident(100_000 + step)])
  if (step % 3 === 0) await app.publish([anIncident(step, { version: 2, summary: 'Corrected.' })], 'incident.updated')
  if (step % 7 === 0)
    await app.publish([anIncident(100_000 + step, { version: 2, status: 'retracted' })], 'incident.retracted')
}

test(`a stream that is cut ${CUTS} times ends with exactly what the log lists`, async () => {
  await using app = await startTestApp({ STREAMS_PER_ACCOUNT: '1000' })
  await using proxy = await startCuttingProxy(app.url)
  const { text: key } = await app.issue()
  const random = seededRandom(17)
  // From within the headers, over the middle of an event, to some events.
  proxy.cutAfter = () => (proxy.cuts < CUTS ? randomInteger(random, 100, 9_000) : null)
  const feed = new IncidentFeed({ key, baseUrl: proxy.url })
  const received: FeedChange[] = []
  const states: ConnectionState['state'][] = []
  const controller = new AbortController()
  const options = {
    after: 0,
    reconnectMs: 1,
    signal: controller.signal,
    onState: ({ state }: ConnectionState) => states.push(state),
  }
  const reading = (async () => {
    for await (const change of feed.stream({}, options)) received.push(change)
  })()
  for (let step = 1; proxy.cuts < CUTS; step++) {
    await publishSteps(app, step)
    await until(() => received.at(-1)?.seq === app.archive.head.seq, 'the stream to catch up')
  }
  await publishSteps(app, 99_999)
  await until(() => received.at(-1)?.seq === app.archive.head.seq, 'the last changes')
  controller.abort()
  await assert.rejects(reading, { name: 'AbortError' })

  const listed = await allChanges(new IncidentFeed({ key, baseUrl: app.url }))
  assert.deepEqual(received.map(shape), listed.map(shape))
  assert.deepEqual(copyOf(received), copyOf(listed))
  assert.equal(proxy.cuts, CUTS)
  assert.ok(states.filter((state) => state === 'disconnected').length >= CUTS)
})

const inZamfara = (number: number, changes: Parameters<typeof anIncident>[1] = {}) => {
  const { location } = anIncident(number)
  return anIncident(number, {
    state: 'Zamfara',
    lga: null,
    location: { ...location, state_code: 'NG-ZA', lga_code: null, lga_basis: null },
    ...changes,
  })
}

test('a position that is too old for the stream is caught up from the log, wherever the connection is cut', async () => {
  await using app = await startTestApp({ STREAMS_PER_ACCOUNT: '1000' }, { streams: { maxReplayedEvents: 20 } })
  const { text: key } = await app.issue()
  for (let number = 1; number <= 40; number++)
    await app.publish([number % 4 === 0 ? anIncident(number) : inZamfara(number)])
  await app.publish([inZamfara(4, { version: 2 })], 'incident.updated')
  await app.publish([anIncident(8, { version: 2, status: 'retracted' })], 'incident.retracted')
  await app.publish([anIncident(50)], 'incident.imported')
  await app.publish([anIncident(60), inZamfara(61), anIncident(62)])
  const [, , third, ...listed] = await allChanges(new IncidentFeed({ key, baseUrl: app.url }))
  // Incident 4 matches no more, but its correction is told. Every change of 8 says that it is
  // retracted.
  const expected = listed.filter(({ event, incident_id: id, incident }) => {
    if (event === 'incident.imported') return false
    return event !== 'incident.created' || incident === null || (incident.state === 'Kaduna' && id !== incidentId(4))
  })
  assert.equal(expected.length, 13)
  for (let offset = 0; offset <= 1_200; offset += 12) {
    // A proxy of its own: a connection that an earlier stream left open would take other requests.
    await using proxy = await startCuttingProxy(app.url)
    let connections = 0
    proxy.cutAfter = () => (connections++ === 0 ? offset : null)
    const feed = new IncidentFeed({ key, baseUrl: proxy.url })
    const received: FeedChange[] = []
    // Both are taken; whoever has saved a number can go on.
    const after = offset % 24 === 0 ? third!.position : 3
    for await (const change of feed.stream({ state: ['Kaduna'] }, { after, reconnectMs: 1 })) {
      received.push(change)
      if (change.incident_id === incidentId(62)) break
    }
    assert.deepEqual(received.map(shape), expected.map(shape), `cut after ${offset} bytes`)
  }
})

test('a stream that is refused for good throws, and one that is left closes its connection', async () => {
  await using app = await startTestApp()
  const feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
  await assert.rejects(feed.stream({ state: 'Kadunna' }).next(), { name: 'ProblemError', code: 'invalid_parameter' })
  await app.publish([anIncident(1), anIncident(2)])
  for await (const { seq } of feed.stream({}, { after: 0 })) {
    assert.equal(seq, 1)
    break
  }
  const { quotas } = await feed.me()
  await until(async () => (await feed.me()).quotas.streams!.used === 0, `no open stream, of ${quotas.streams!.used}`)
})

test('a position that the service has lost is refused with the one from which to go on', async () => {
  await using app = await startTestApp()
  await app.publish([1, 2, 3].map((number) => anIncident(number)))
  const feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
  const { position: common } = (await allChanges(feed)).at(-1)!
  // As after a restore: events 4 and 5 were seen, and are not there.
  await app.store.chain.fork(5, Date.now())
  const lost = { after: '5.AAAAAAAAAAA' }
  for (const refused of [feed.changePage(lost), feed.changes(lost).next(), feed.stream({}, lost).next()])
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof PositionLostError)
      assert.deepEqual([error.name, error.status, error.resumeAfter], ['PositionLostError', 410, common])
      return true
    })
  await assert.rejects(feed.changePage({ after: 5 }), PositionLostError)
  await app.publish([4, 5].map((number) => anIncident(number)))
  const after = await allChanges(feed, common)
  assert.deepEqual(
    after.map(({ incident_id }) => incident_id),
    [4, 5].map(incidentId),
  )
  const { next_after } = await feed.changePage({ after: common })
  assert.equal(next_after, after.at(-1)!.position)
  assert.deepEqual(await allChanges(feed, next_after), [])
})

test('a connection without a sign of life is made again', async () => {
  await using app = await startTestApp()
  const feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
  const errors: unknown[] = []
  const controller = new AbortController()
  const options = {
    signal: controller.signal,
    silenceMs: 50,
    reconnectMs: 1,
    onState: (state: ConnectionState) => {
      if (state.state === 'disconnected') errors.push(state.error?.message)
    },
  }
  const next = feed.stream({}, options).next()
  await until(() => errors.length >= 3, 'three silences')
  assert.equal(errors[0], 'the stream was silent for 50 ms')
  await app.publish([anIncident(1)])
  assert.equal((await next).value!.incident_id, incidentId(1))
  controller.abort()
})
