import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import { places } from '../../../src/geo/places.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite, proxyTo } from '../../store/databases.ts'
import { problemOf, startTestApp, until } from '../../support/app.ts'
import { endCommands, startCommand } from '../../support/commands.ts'
import { columnsWith } from '../../support/databases/contents.ts'
import { TEST_SECRETS_KEY } from '../../support/databases/stores.ts'
import { rss, sendFeed, sendStatus, startFeedServer } from '../../support/receivers.ts'
import { oneStoreOf } from '../../support/tier.ts'
import { type DeskReport, pollingScene } from './polling-scene.ts'

const KIDNAPPING = {
  guid: 'story-1',
  title: 'Gunmen abduct 11 travellers near Dansadau in Zamfara',
  text: 'Gunmen on Tuesday abducted eleven travellers near Dansadau in Maru Local Government Area of Zamfara State, residents said. The attackers blocked the road in the evening and led the passengers of two buses into the forest.',
}
const RETOLD = {
  guid: 'x-77',
  title: 'Bandits kidnap 11 passengers at Dansadau, Zamfara',
  text: 'No fewer than 11 passengers were kidnapped by bandits around Dansadau town, Maru LGA of Zamfara State, on Tuesday. A driver who escaped told our correspondent that the gunmen came on motorcycles and took the victims away.',
}
const ELSEWHERE = {
  guid: 'story-2',
  title: 'Boko Haram fighters kill 9 farmers in Konduga, Borno',
  text: 'Boko Haram fighters on Monday killed nine farmers on their fields outside Konduga in Borno State, a local official said.',
}
const FOOTBALL = {
  guid: 'story-3',
  title: 'Kano Pillars beat Enyimba 2-1',
  text: 'Kano Pillars beat Enyimba 2-1 in the Nigeria Premier Football League on Sunday in Kano before a large crowd.',
}

describe('polled feeds', () => {
  it('brings a story from its publication to the queue of the desk in one poll, with evidence', async () => {
    await using database = await emptySqlite()
    await using server = await startFeedServer(sendFeed(rss([FOOTBALL])))
    await using scene = await pollingScene(database.url)
    const { id } = await scene.addSource(server.url)
    assert.deepEqual(await scene.reports(), [])

    server.answer(sendFeed(rss([KIDNAPPING, ELSEWHERE, FOOTBALL])))
    const { health } = await scene.poll(id)
    assert.deepEqual([health.status, health.items, health.queued], ['healthy', 3, 2])

    const reports = await scene.reports()
    const kidnapping = reports.find(({ summary }) => summary.startsWith('Gunmen abduct 11'))!
    assert.equal(reports.length, 2)
    assert.deepEqual(
      [
        kidnapping.status,
        kidnapping.type,
        kidnapping.state,
        kidnapping.lga,
        kidnapping.casualties.abducted,
        kidnapping.desk.origin,
      ],
      ['reported', 'mass_abduction', 'Zamfara', 'Maru', 11, 'feed'],
    )
    assert.deepEqual(kidnapping.sources, [
      {
        url: 'https://herald.example.org/story-1',
        publisher: 'Zamfara Herald',
        published_at: kidnapping.sources[0]!.published_at,
      },
    ])
    const { reading, text } = kidnapping.desk
    assert.equal(reading!.source_id, id)
    for (const { text: words } of reading!.evidence) assert.ok(text!.includes(words) && words !== '', words)
    assert.match(reading!.evidence.find(({ field }) => field === 'abducted')!.text, /11|eleven/)
    const states = (await scene.items(id)).map((item) => [item.title, item.state])
    assert.deepEqual(
      states.sort(),
      [
        [ELSEWHERE.title, 'queued'],
        [KIDNAPPING.title, 'queued'],
        [FOOTBALL.title, 'no_incident'],
      ].sort(),
    )
    for (const [state, titles] of [
      ['queued', [ELSEWHERE.title, KIDNAPPING.title]],
      ['no_incident', [FOOTBALL.title]],
      ['duplicate', []],
    ] as const)
      assert.deepEqual((await scene.items(id, state)).map(({ title }) => title).sort(), titles)
    const unknown = await scene.app.get(`/v1/admin/sources/${id}/items?state=lost`, scene.key)
    assert.deepEqual([unknown.status, (await problemOf(unknown)).code], [400, 'invalid_parameter'])

    const metrics = async () => (await scene.app.get('/metrics', null)).text()
    assert.match(await metrics(), /^incident_feed_source_polls_total\{result="read"\} 2$/m)
    assert.match(await metrics(), /^incident_feed_source_items_total\{state="queued"\} 2$/m)
    assert.match(await metrics(), /^incident_feed_source_items_total\{state="no_incident"\} 1$/m)
    assert.match(await metrics(), /^incident_feed_sources\{status="healthy"\} 1$/m)
    server.answer(sendStatus(500))
    await scene.poll(id)
    assert.match(await metrics(), /^incident_feed_source_polls_total\{result="server_error"\} 1$/m)
    // Read from the store at most once in five seconds.
    scene.passTime(5_000)
    await until(async () => /^incident_feed_sources\{status="failing"\} 1$/m.test(await metrics()), 'the new status')
  })

  it('takes no story twice: not by GUID, address or text, not in another feed, not if the source is added again', async () => {
    await using database = await emptySqlite()
    await using server = await startFeedServer(sendFeed(rss([KIDNAPPING])))
    const sameAddress = { ...RETOLD, guid: 'other', link: 'http://www.herald.example.org/story-1/?utm_source=rss' }
    const sameText = {
      ...KIDNAPPING,
      guid: 'agency-9',
      link: 'https://agency.example.org/9',
      text: `${KIDNAPPING.text} NAN`,
    }
    await using other = await startFeedServer(sendFeed(rss([sameAddress, sameText])))
    await using scene = await pollingScene(database.url)
    const { id } = await scene.addSource(server.url)
    await scene.poll(id)
    const { id: otherId } = await scene.addSource(other.url, 'News Agency')
    assert.deepEqual(
      (await scene.items(otherId)).map(({ state }) => state),
      ['duplicate', 'duplicate'],
    )
    assert.equal((await scene.app.delete(`/v1/admin/sources/${id}`, scene.key)).status, 204)
    const again = await scene.addSource(server.url)
    assert.deepEqual([again.health.status, again.health.items], ['healthy', 0])
    assert.equal((await scene.reports()).length, 1)
    assert.deepEqual(await scene.proposals(), [])
  })

  it('takes items apart that share a GUID but differ in link and title, each of them once', async () => {
    await using database = await emptySqlite()
    const one = { ...KIDNAPPING, guid: 'news', link: 'https://herald.example.org/dansadau' }
    const other = { ...ELSEWHERE, guid: 'news', link: 'https://herald.example.org/konduga' }
    const third = {
      guid: 'news',
      link: 'https://herald.example.org/jos',
      title: 'Gunmen kill 5 in attack on village in Bokkos, Plateau',
      text: 'Gunmen on Wednesday night killed five villagers in Bokkos Local Government Area of Plateau State, the police said.',
    }
    await using server = await startFeedServer(sendFeed(rss([one, other])))
    await using scene = await pollingScene(database.url)
    const { id, health } = await scene.addSource(server.url)
    assert.deepEqual([health.items, health.queued], [2, 2])
    const polls = [
      { items: [one, other], known: 2 },
      { items: [{ ...one, title: `Updated: ${one.title}` }, other], known: 2 },
      { items: [third, one, other], known: 3 },
      { items: [third, { ...other, link: `${other.link}?utm_source=rss` }], known: 3 },
      { items: [one], known: 3 },
    ]
    for (const { items, known } of polls) {
      server.answer(sendFeed(rss(items)))
      const { health } = await scene.poll(id)
      assert.deepEqual([health.items, health.queued], [known, known])
    }

    // The same link or the same title: the item was changed.
    server.answer(sendFeed(rss([{ ...FOOTBALL, title: `${FOOTBALL.title} (updated)` }, FOOTBALL])))
    assert.equal((await scene.poll(id)).health.items, 4)
    const moved = { ...FOOTBALL, link: 'https://herald.example.org/sport/story-3' }
    server.answer(sendFeed(rss([moved, FOOTBALL])))
    assert.equal((await scene.poll(id)).health.items, 4)
    // It was alone with its GUID so far.
    server.answer(sendFeed(rss([FOOTBALL, { ...third, guid: FOOTBALL.guid, link: third.link, title: 'Another' }])))
    assert.equal((await scene.poll(id)).health.items, 5)
  })

  it('reads the whole feed again if another process has taken the lease during a poll', async () => {
    await using database = await emptySqlite()
    const unchanging = sendFeed(rss([KIDNAPPING]), { etag: '"1"' })
    await using server = await startFeedServer(sendFeed(rss([FOOTBALL])))
    await using scene = await pollingScene(database.url)
    const { id } = await scene.addSource(server.url)
    const { sources } = scene.app.store
    const later = Date.now() + 86_400_000
    let taken: Promise<boolean> | null = null
    server.answer((request, response) => {
      taken ??= sources.lease('another', later, later)
      void taken.then(() => unchanging(request, response))
    })
    const { health } = await scene.poll(id)
    assert.equal(await taken, true)
    assert.deepEqual([health.status, health.queued], ['healthy', 0], 'it may not save the story')
    assert.equal((await sources.find(id))!.polling.etag, null)
    await sources.release('another')
    // It leases again once half of its lease is over.
    scene.passTime(60_000)
    assert.equal((await scene.poll(id)).health.queued, 1)
  })

  it('takes the news of the day although its clock says 2040, and polls at its interval afterwards', async () => {
    await using database = await emptySqlite()
    await using server = await startFeedServer(sendFeed(rss([FOOTBALL])))
    await using scene = await pollingScene(database.url)
    const { id } = await scene.addSource(server.url)
    const dueIn = async () => (await scene.app.store.sources.find(id))!.dueAt - Date.now()
    scene.setAhead(14 * 365 * 86_400_000)
    server.answer(sendFeed(rss([KIDNAPPING, FOOTBALL])))
    assert.equal((await scene.poll(id)).health.queued, 1)
    assert.ok((await dueIn()) > 13 * 365 * 86_400_000)
    await until(
      async () => (await scene.app.store.clock.read())!.seenAt > Date.now() + 86_400_000,
      'a look at the clock',
    )
    scene.setAhead(0)
    await until(async () => (await dueIn()) < 70 * 60_000, 'the next poll within the interval')
    server.answer(sendFeed(rss([ELSEWHERE, KIDNAPPING, FOOTBALL])))
    assert.equal((await scene.poll(id)).health.queued, 2)
  })

  it('proposes a story of a known incident as a further source; accepting it raises the confidence', async () => {
    await using database = await emptySqlite()
    await using server = await startFeedServer(sendFeed(rss([KIDNAPPING])))
    await using other = await startFeedServer(sendFeed(rss([RETOLD])))
    await using scene = await pollingScene(database.url)
    await scene.addSource(server.url)
    const { health } = await scene.addSource(other.url, 'Daily Trust')
    assert.deepEqual([health.queued, health.proposed], [0, 1])
    const [report] = await scene.reports()
    const [proposal] = await scene.proposals()
    assert.equal(proposal!.incident_id, report!.id)
    const path = `/v1/desk/incidents/${report!.id}/proposed-sources`

    const accepted = await scene.app.post(`${path}/${proposal!.id}/accept`, {}, scene.key)
    assert.equal(accepted.status, 200, await accepted.clone().text())
    const after = (await accepted.json()) as DeskReport
    assert.deepEqual(
      after.sources.map(({ publisher }) => publisher),
      ['Zamfara Herald', 'Daily Trust'],
    )
    assert.ok(after.confidence > report!.confidence, `${report!.confidence} → ${after.confidence}`)
    assert.deepEqual(await scene.proposals(), [])
    const repeated = await scene.app.post(`${path}/${proposal!.id}/accept`, {}, scene.key)
    assert.equal(repeated.status, 409)
    assert.equal((await scene.reports())[0]!.sources.length, 2)

    const { undo } = after.desk
    const undone = await scene.app.post(undo!.path, { step: undo!.step }, scene.key)
    assert.equal(undone.status, 200, await undone.clone().text())
    assert.equal((await scene.reports())[0]!.sources.length, 1)
    assert.deepEqual(
      (await scene.proposals()).map(({ id }) => id),
      [proposal!.id],
    )
    assert.equal((await scene.app.post(`${path}/${proposal!.id}/accept`, {}, scene.key)).status, 200)
    assert.equal((await scene.reports())[0]!.sources.length, 2)
  })

  it('queues a dismissed story as a report of its own if the editor says so', async () => {
    await using database = await emptySqlite()
    await using server = await startFeedServer(sendFeed(rss([KIDNAPPING])))
    await using other = await startFeedServer(sendFeed(rss([RETOLD])))
    await using scene = await pollingScene(database.url)
    await scene.addSource(server.url)
    await scene.addSource(other.url, 'Daily Trust')
    const [report] = await scene.reports()
    const [proposal] = await scene.proposals()
    const path = `/v1/desk/incidents/${report!.id}/proposed-sources/${proposal!.id}`
    const dismissed = await scene.app.post(`${path}/dismiss`, { queue: true }, scene.key)
    assert.equal(dismissed.status, 200, await dismissed.clone().text())
    const reports = await scene.reports()
    assert.deepEqual(reports.map(({ sources }) => sources.map(({ publisher }) => publisher).join()).sort(), [
      'Daily Trust',
      'Zamfara Herald',
    ])
    assert.equal((await scene.app.post(`${path}/accept`, {}, scene.key)).status, 409)
  })
})

for (const [name, newDatabase] of oneStoreOf([
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
] as const)) {
  describe(`stories in the tables of ${name}`, () => {
    it('lists a story whose place is not known, until an editor has filed or dismissed it', async () => {
      await using database = await newDatabase()
      const vague = [1, 2].map((number) => ({
        guid: `vague-${number}`,
        title: `Gunmen kill ${number + 3} farmers`,
        text: `Gunmen on Monday killed ${number + 3} farmers on their fields, a survivor called witness${number} said. The police did not say where.`,
      }))
      await using server = await startFeedServer(sendFeed(rss(vague)))
      await using scene = await pollingScene(database.url)
      const { app, key } = scene
      const { id } = await scene.addSource(server.url)
      assert.deepEqual(
        (await scene.items(id)).map(({ state }) => state),
        ['no_place', 'no_place'],
      )
      type Stories = { data: { id: string; title: string; text: string; publisher: string; url: string }[] }
      const stories = async () => (await (await app.get('/v1/desk/unplaced-stories', key)).json()) as Stories
      const [second, first] = (await stories()).data
      assert.deepEqual([first!.publisher, first!.url], ['Zamfara Herald', 'https://herald.example.org/vague-1'])
      assert.equal(first!.text, `${vague[0]!.title}\n\n${vague[0]!.text}`)

      const place = { state: 'Zamfara', occurred_at: '2026-11-09', text: vague[0]!.text }
      const filed = await app.post('/v1/reports', { type: 'banditry', ...place }, key)
      assert.equal(filed.status, 201, await filed.clone().text())
      const incident = ((await filed.json()) as { id: string }).id
      const close = (story: string, body: object) => app.post(`/v1/desk/unplaced-stories/${story}/close`, body, key)
      assert.equal((await close(first!.id, { incident_ids: [incident] })).status, 204)
      assert.equal((await close(first!.id, {})).status, 404)
      assert.equal((await close(second!.id, {})).status, 204)
      assert.deepEqual((await stories()).data, [])
      const items = (await scene.items(id)).map(({ state, incident_ids }) => [state, incident_ids])
      assert.deepEqual(items.sort(), [
        ['no_place', []],
        ['queued', [incident]],
      ])
      assert.ok(!(await columnsWith(database.url, 'witness2')).includes('unplaced_stories.text'))
      const audit = (await (await app.get('/v1/admin/audit', key)).json()) as { data: { action: string }[] }
      assert.equal(audit.data.filter(({ action }) => action === 'story.close').length, 2)
    })

    it('forgets what stories said about an incident that is redacted', async () => {
      await using database = await newDatabase()
      await using server = await startFeedServer(sendFeed(rss([KIDNAPPING])))
      await using other = await startFeedServer(sendFeed(rss([RETOLD])))
      await using scene = await pollingScene(database.url)
      await scene.addSource(server.url)
      await scene.addSource(other.url, 'Daily Trust')
      const [report] = await scene.reports()
      const before = await columnsWith(database.url, 'dansadau')
      assert.ok(before.includes('source_items.title') && before.includes('proposed_sources.content'), `${before}`)
      const path = `/v1/desk/incidents/${report!.id}/redact`
      const redacted = await scene.app.post(path, { words: ['Dansadau'], reason: 'Asked for' }, scene.key)
      assert.equal(redacted.status, 200, await redacted.clone().text())
      assert.deepEqual(await columnsWith(database.url, 'dansadau'), [])
      assert.deepEqual(await scene.proposals(), [])
      assert.deepEqual((await scene.reports())[0]!.desk.reading!.evidence, [])
    })
  })
}

describe('a poller that is killed', () => {
  after(endCommands)

  const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
  /** One story for each of some LGAs. */
  const STORIES = places.lgas
    .filter((_, index) => index % 19 === 0)
    .slice(0, 24)
    .map(({ name, state, code }, index) => ({
      guid: code,
      title: `Gunmen kill ${NUMBERS[index % 8]} in ${name}, ${state.name} State`,
      text: `Gunmen killed ${NUMBERS[index % 8]} people in ${name} Local Government Area of ${state.name} State on Monday.`,
    }))

  interface Database {
    readonly name: string
    readonly makeDatabase: () => Promise<EmptyDatabase>
    /** Runs a service until the condition is true, and ends it properly or at once. */
    readonly runUntil: (url: string, isStop: boolean, condition: () => Promise<boolean>) => Promise<void>
  }

  const settings = { SECRETS_KEY: TEST_SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE: 'true' }

  async function runProcessUntil(url: string, isStop: boolean, condition: () => Promise<boolean>): Promise<void> {
    const environment = { ...settings, DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'error' }
    const service = startCommand(['serve'], environment)
    try {
      await until(condition, 'what the process does')
    } finally {
      service.child.kill(isStop ? 'SIGTERM' : 'SIGKILL')
      await service.ended
    }
  }

  /** Each service starts when what the one before it held has run out. */
  let time = Date.now()

  /** To PostgreSQL, a process that is killed is one of which nothing comes any more. */
  async function runUntilCutOff(url: string, isStop: boolean, condition: () => Promise<boolean>): Promise<void> {
    await using proxy = await proxyTo(url)
    const stopping = { requestsMs: 50, webhooksMs: 50, restMs: 50 }
    time += 120_000
    const offset = time - Date.now()
    const clock = () => Date.now() + offset
    await using _app = await startTestApp(
      { ...settings, DATABASE_URL: proxy.url },
      isStop ? { clock } : { clock, stopping },
    )
    await until(condition, 'what the service does')
    if (isStop) return
    proxy.partition()
    // The service need not wait for answers until it gives up.
    await proxy[Symbol.asyncDispose]()
  }

  // The simulator ends nodes on SQLite at any moment.
  const DATABASES: readonly Database[] = [
    { name: 'PostgreSQL', makeDatabase: emptyPostgres, runUntil: runUntilCutOff },
    { name: 'SQLite', makeDatabase: emptySqlite, runUntil: runProcessUntil },
  ]
  for (const { name, makeDatabase, runUntil } of oneStoreOf(DATABASES))
    it(`loses no story and takes none twice if it ends in the middle of a poll, on ${name}`, async () => {
      await using server = await startFeedServer(sendFeed(rss(STORIES), { etag: '"1"' }))
      await using database = await makeDatabase()
      await using store = await database.open()
      const id = newIdentifier('source', Date.now(), randomBytes)
      const source = { kind: 'feed', publisher: 'Herald', everyMinutes: 60, paused: false, createdAt: 0 } as const
      await store.sources.add({ ...source, id, url: server.url, urlKey: 'x', dueAt: 0 }, 10)
      const items = async () => (await store.sources.find(id))!.counts.items
      await runUntil(database.url, false, async () => (await items()) >= 7)
      assert.equal((await store.sources.find(id))!.polling.etag, null)
      await runUntil(database.url, true, async () => (await store.sources.find(id))!.polling.succeededAt !== null)

      const { counts, polling } = (await store.sources.find(id))!
      assert.equal(polling.etag, '"1"')
      assert.equal(counts.items, STORIES.length)
      const open = await store.incidents.openReports(0, Number.MAX_SAFE_INTEGER, 1000)
      const addresses = open.map(({ sources }) => sources[0]!.url)
      assert.deepEqual(addresses.sort(), STORIES.map(({ guid }) => `https://herald.example.org/${guid}`).sort())
      assert.equal(counts.queued, STORIES.length)
    })
})
