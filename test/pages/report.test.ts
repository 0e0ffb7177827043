import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_TIP_LENGTH } from '../../src/domain/tips.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { EASY_PROOF, solve } from '../support/desk.ts'

const START = Date.UTC(2026, 10, 16, 12)
const MINUTE_MS = 60_000
const TIP = { text: 'Gunmen abducted eleven people on the road out of Gusau.', place: 'Gusau', day: '2026-11-15' }

/** A service whose clock the test sets. */
async function startAt(settings: Record<string, string> = {}) {
  const time = { now: START }
  const app = await startTestApp({ ...EASY_PROOF, ...settings }, { clock: () => time.now })
  return { app, time, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function challengeOf(response: Response): Promise<string> {
  return /name="challenge" value="([^"]+)"/.exec(await response.text())![1]!
}

const openForm = async (app: TestApp, path = '/report') => challengeOf(await fetch(app.url + path))

function sendForm(
  app: TestApp,
  values: Record<string, string>,
  path = '/report',
  headers: Record<string, string> = {},
) {
  return fetch(app.url + path, { method: 'POST', body: new URLSearchParams(values), headers })
}

async function tipsIn(app: TestApp): Promise<number> {
  return (await app.store.desk.counts()).reduce((sum, { origin, entries }) => sum + (origin === 'tip' ? entries : 0), 0)
}

async function referenceIn(response: Response): Promise<string> {
  assert.equal(response.status, 200, await response.clone().text())
  return /<code class="key">([^<]+)</.exec(await response.text())![1]!
}

describe('/report without JavaScript', () => {
  it('is one small answer that no cache keeps, in each language, with a draft marked', async () => {
    await using service = await startAt()
    for (const [language, title] of [
      ['en', 'Report an incident'],
      ['ha', 'Ba da rahoton'],
      ['pcm', 'Report wetin happen'],
    ] as const) {
      const response = await fetch(`${service.app.url}/report?lang=${language}`)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('content-language'), language)
      const page = await response.text()
      assert.ok(page.includes(title), language)
      assert.equal(page.includes('class="draft"'), language !== 'en')
      assert.ok(Buffer.byteLength(page) < 30_000, `${Buffer.byteLength(page)} bytes`)
    }
  })

  it('stores a form once, however often it is sent, and shows the same reference', async () => {
    await using service = await startAt()
    const { app, time } = service
    const challenge = await openForm(app)
    time.now += MINUTE_MS
    const first = await referenceIn(await sendForm(app, { ...TIP, challenge }))
    const second = await referenceIn(await sendForm(app, { ...TIP, challenge }))
    assert.equal(first, second)
    assert.equal(await tipsIn(app), 1)
  })

  it('offers what was changed in a form that was sent before as an addition', async () => {
    await using service = await startAt()
    const { app, time } = service
    const challenge = await openForm(app)
    time.now += MINUTE_MS
    const reference = await referenceIn(await sendForm(app, { ...TIP, challenge }))
    const response = await sendForm(app, { ...TIP, challenge, text: 'Gunmen abducted twelve people near Gusau.' })
    assert.equal(response.status, 409)
    const page = await response.text()
    assert.match(page, /action="\/report\/add"/)
    assert.match(page, /twelve people/)
    assert.ok(page.includes(`value="${reference}"`))
    const next = /name="challenge" value="([^"]+)"/.exec(page)![1]!
    time.now += MINUTE_MS
    const text = 'They were twelve people.'
    const added = await sendForm(app, { reference, text, challenge: next }, '/report/add')
    assert.match(await added.text(), /Thank you\. It was added\./)
    assert.equal(await tipsIn(app), 1)
  })

  it('asks which place is meant, takes the choice or the state, and keeps what was written', async () => {
    await using service = await startAt()
    const { app, time } = service
    const values = { ...TIP, place: 'Gusauu', contact: 'Amina & "B"', challenge: await openForm(app) }
    time.now += MINUTE_MS
    const asked = await sendForm(app, values)
    assert.equal(asked.status, 422)
    const page = await asked.text()
    assert.match(page, /type="radio" name="choice" value="Gusau, Zamfara"/)
    assert.match(page, /value="Amina &amp; &quot;B&quot;"/)
    assert.match(page, /role="alert"/)
    assert.ok(page.includes(values.challenge), 'another challenge: the wait would begin again')
    const stateless = await sendForm(app, { ...values, choice: 'none' })
    assert.equal(stateless.status, 422)
    await referenceIn(await sendForm(app, { ...values, choice: 'Gusau, Zamfara' }))
    const other = { ...values, challenge: await openForm(app) }
    time.now += MINUTE_MS
    await referenceIn(await sendForm(app, { ...other, choice: 'none', state: 'Zamfara' }))
    assert.equal(await tipsIn(app), 2)
  })

  const FAULTS: [name: string, values: Record<string, string>, sentence: RegExp][] = [
    ['nothing written', { text: '' }, /Write at least one sentence/],
    ['too much written', { text: 'a'.repeat(MAX_TIP_LENGTH + 1) }, /Write at least one sentence/],
    ['no kind', { text: 'Something is going on near us.' }, /Choose what kind it was/],
    ['no place', { place: '' }, /Write where it happened/],
    ['an unknown place', { place: 'Xyzzyqua' }, /We do not know a place of this name/],
    ['a point abroad', { lat: '51.5', lng: '0' }, /The point is not in Nigeria/],
    ['a day in the future', { day: '2027-01-01' }, /must not lie in the future/],
    ['no day', { day: '' }, /must not lie in the future/],
    ['a long contact', { contact: 'a'.repeat(201) }, /The contact is too long/],
    ['a filled trap', { website: 'https://example.org' }, /One field has to stay empty/],
    ['no challenge', { challenge: '' }, /press Send again/],
    ['markup', { text: '<script>alert(1)</script>', place: '' }, /&lt;script&gt;/],
  ]
  it('says in plain words what is wrong, keeps the text, and stores nothing', async () => {
    await using service = await startAt()
    const { app, time } = service
    const challenge = await openForm(app)
    time.now += MINUTE_MS
    for (const [name, values, sentence] of FAULTS) {
      const response = await sendForm(app, { ...TIP, challenge, ...values })
      assert.equal(response.status, 422, name)
      const page = await response.text()
      assert.match(page, sentence, name)
      assert.doesNotMatch(page, /<script>alert/)
    }
    assert.equal(await tipsIn(app), 0)
  })

  it('is not for programs: it waits three seconds, and takes a third of what proof of work allows', async () => {
    await using service = await startAt({ TIPS_PER_HOUR: '9' })
    const { app, time } = service
    const quick = await openForm(app)
    time.now += 2999
    const refused = await sendForm(app, { ...TIP, challenge: quick })
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /That was very fast/)
    time.now += 1
    await referenceIn(await sendForm(app, { ...TIP, challenge: quick }))
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      const challenge = await openForm(app)
      time.now += MINUTE_MS
      statuses.push((await sendForm(app, { ...TIP, challenge })).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
    const challenge = await openForm(app)
    const [, bits, seed] = challenge.split('.')
    const solutions = solve(seed!, Number(bits)).join(',')
    await referenceIn(await sendForm(app, { ...TIP, challenge, solutions }))
  })

  it('says how long to wait above a limit, and keeps the text', async () => {
    await using service = await startAt({ TIPS_PER_HOUR: '3' })
    const { app, time } = service
    const challenges = [await openForm(app), await openForm(app)]
    time.now += MINUTE_MS
    await referenceIn(await sendForm(app, { ...TIP, challenge: challenges[0]! }))
    const response = await sendForm(app, { ...TIP, challenge: challenges[1]! })
    assert.equal(response.status, 429)
    assert.equal(response.headers.get('retry-after'), '3600')
    const page = await response.text()
    assert.match(page, /Try again in 60 minutes/)
    assert.match(page, /abducted eleven/)
  })

  it('answers in the language of its address', async () => {
    await using service = await startAt()
    const { app, time } = service
    const challenge = await openForm(app, '/report?lang=yo')
    time.now += MINUTE_MS
    const response = await sendForm(app, { ...TIP, challenge }, '/report?lang=yo')
    const page = await response.text()
    assert.match(page, /A dúpẹ́/)
    assert.match(page, /href="\/report\/add\?lang=yo"/)
  })
})

describe('/report/add', () => {
  it('refuses a reference that nobody was given', async () => {
    await using service = await startAt()
    const { app, time } = service
    const challenge = await openForm(app, '/report/add')
    time.now += MINUTE_MS
    const values = { reference: '0000-0000-0000-0000', text: 'All of them are free.', challenge }
    const response = await sendForm(app, values, '/report/add')
    assert.equal(response.status, 404)
    assert.match(await response.text(), /No report has this reference number/)
  })
})
