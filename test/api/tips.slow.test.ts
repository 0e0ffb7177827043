import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { NO_DESK_CONDITIONS } from '../../src/store/store.ts'
import { emptyPostgres, emptySqlite } from '../store/databases.ts'
import { startTestApp, until } from '../support/app.ts'
import { columnsWith } from '../support/databases/contents.ts'
import { aProof, aTip, EASY_PROOF, postTip } from '../support/desk.ts'
import { oneStoreOf } from '../support/tier.ts'

describe('tip retention', () => {
  const DAY_MS = 86_400_000
  const CONTACT = 'Amina Tsamiya'

  for (const [name, newDatabase] of oneStoreOf([
    ['SQLite', emptySqlite],
    ['PostgreSQL', emptyPostgres],
  ] as const)) {
    it(`a contact is in no column as plain text, and is deleted after TIP_CONTACT_DAYS, on ${name}`, async () => {
      await using database = await newDatabase()
      let now = Date.now()
      const settings = { ...EASY_PROOF, DATABASE_URL: database.url, TIP_CONTACT_DAYS: '7' }
      const startedAt = () => startTestApp(settings, { clock: () => now })
      /** As if another process had run in the meantime: a jump of the clock ages nothing. */
      const pass = async (ms: number) => {
        now += ms
        await using store = await openStore(database.url)
        await store.clock.record(now, now, 0)
      }
      let incidentId: string
      let challengeHash: string
      {
        await using app = await startedAt()
        const proof = await aProof(app.url)
        challengeHash = hash('sha256', proof.challenge.split('.')[2]!)
        const response = await postTip(app.url, { ...aTip({ contact: CONTACT }), proof })
        assert.equal(response.status, 201, await response.clone().text())
        const { hits } = await app.store.desk.find(ALL_REPORTS, null, 10, 100, now)
        incidentId = hits[0]!.id
        assert.equal((await app.store.tips.ofIncidents([incidentId]))[0]!.contact, CONTACT)
        assert.notEqual(await app.store.tips.findSubmission(challengeHash), null)
        assert.deepEqual(await columnsWith(database.url, 'Tsamiya'), [])
      }
      await pass(7 * DAY_MS - 60_000)
      {
        await using app = await startedAt()
        // The challenge was due: the cleanup has run, and left the contact.
        await until(async () => (await app.store.tips.findSubmission(challengeHash)) === null, 'the cleanup')
        assert.equal((await app.store.tips.ofIncidents([incidentId])).length, 1)
      }
      await pass(120_000)
      await using app = await startedAt()
      await until(async () => (await app.store.tips.ofIncidents([incidentId])).length === 0, 'the deletion')
      assert.equal((await app.store.incidents.findRecords([incidentId])).length, 1, 'the report is gone')
    })
  }

  const ALL_REPORTS = {
    ...NO_DESK_CONDITIONS,
    status: 'reported',
    order: 'newest',
    origin: 'tip',
  } as const
})

describe('tip flood', () => {
  /** Ten thousand take a minute and a half: TIPS=10000 sends as many. */
  const TIPS = Number(process.env.TIPS ?? 500)
  const AT_ONCE = 50
  const FLOODER = { 'x-forwarded-for': '198.51.100.7' }
  const NEIGHBOUR = { 'x-forwarded-for': '203.0.113.9' }

  it(`${TIPS} automated tips from one address: thirty are stored, others and the desk are served`, async () => {
    // Without the limit of requests, which would refuse most of them before the limits of tips do.
    const settings = { ...EASY_PROOF, TRUST_PROXY: 'loopback', RATE_LIMIT_ADDRESS: '1000000' }
    await using app = await startTestApp(settings)
    const { text: editor } = await app.issue({ scopes: ['read', 'operate'] })
    const statuses = new Map<number, number>()
    let sent = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent < TIPS) {
          sent++
          const proof = await aProof(app.url, FLOODER)
          const { status } = await postTip(app.url, { ...aTip(), proof }, { headers: FLOODER })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (sent % 100 > 0) continue
          const queue = await app.get('/v1/desk/incidents?limit=50&duplicates=none', editor)
          assert.equal(queue.status, 200)
          assert.ok(((await queue.json()) as { data: unknown[] }).data.length <= 30)
        }
      }),
    )
    assert.deepEqual([...statuses].toSorted(), [
      [201, 30],
      [429, TIPS - 30],
    ])
    const neighbour = await postTip(
      app.url,
      { ...aTip(), proof: await aProof(app.url, NEIGHBOUR) },
      { headers: NEIGHBOUR },
    )
    assert.equal(neighbour.status, 201)
    const counts = (await (await app.get('/v1/desk/counts', editor)).json()) as { origin: { tip: number } }
    assert.equal(counts.origin.tip, 31)
  })
})
