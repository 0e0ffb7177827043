import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startTestApp } from '../../support/app.ts'
import { aProof, aTip, EASY_PROOF, postTip } from '../../support/desk.ts'

/** Ten thousand take a minute and a half: TIPS=10000 sends as many. */
const TIPS = Number(process.env.TIPS ?? 2_000)
const AT_ONCE = 50
const FLOODER = { 'x-forwarded-for': '198.51.100.7' }
const NEIGHBOUR = { 'x-forwarded-for': '203.0.113.9' }

it(`${TIPS} automated tips from one address: thirty are stored, others and the desk are served`, {
  timeout: 600_000,
}, async () => {
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
        if (sent % 500 > 0) continue
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
