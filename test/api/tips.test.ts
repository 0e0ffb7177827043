import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHALLENGE_LIFETIME_MS, MAX_ADDITIONS } from '../../src/domain/tips.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { aProof, aTip, EASY_PROOF, postTip } from '../support/desk.ts'

const CONTACT = 'Amina, 0803 123 4567'
const ADDITIONS = { path: '/v1/tips/additions' }
const BEHIND_PROXY = { TRUST_PROXY: 'loopback' }
const from = (address: string) => ({ 'x-forwarded-for': address })

async function send(app: TestApp, changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return postTip(app.url, { ...aTip(changes), proof: await aProof(app.url, headers) }, { headers })
}

async function addTo(app: TestApp, body: Record<string, unknown>): Promise<Response> {
  return postTip(app.url, { ...body, proof: await aProof(app.url) }, ADDITIONS)
}

async function referenceOf(response: Response): Promise<string> {
  assert.equal(response.status, 201, await response.clone().text())
  return ((await response.json()) as { reference: string }).reference
}

interface QueuedReport {
  readonly id: string
  readonly status: string
  readonly type: string
  readonly summary: string
  readonly confidence: number
  readonly location: { readonly place: string | null; readonly precision: string }
  readonly state: string
  readonly time_precision: string
  readonly casualties: { readonly abducted: number | null }
  readonly desk: { readonly origin: string; readonly text: string }
}

async function queueOf(app: TestApp): Promise<{ editor: string; reports: QueuedReport[] }> {
  const { text: editor } = await app.issue({ scopes: ['read', 'operate'] })
  const { data } = (await (await app.get('/v1/desk/incidents?limit=200&duplicates=none', editor)).json()) as {
    data: QueuedReport[]
  }
  return { editor, reports: data }
}

describe('POST /v1/tips', () => {
  it('puts a report into the queue, with its origin and the lowest confidence, and publishes nothing', async () => {
    await using app = await startTestApp(EASY_PROOF)
    const reference = await referenceOf(await send(app, { contact: CONTACT }))
    assert.match(reference, /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
    const { reports, editor } = await queueOf(app)
    assert.equal(reports.length, 1)
    const [report] = reports
    assert.equal(report!.status, 'reported')
    assert.equal(report!.desk.origin, 'tip')
    assert.equal(report!.type, 'mass_abduction')
    assert.equal(report!.casualties.abducted, 11)
    assert.equal(report!.time_precision, 'hour')
    assert.equal(report!.location.place, 'Gusau')
    assert.ok(report!.confidence < 0.3, `${report!.confidence}`)
    assert.equal(app.archive.size, 0)
    const history = await (await app.get(`/v1/desk/incidents/${report!.id}/history`, editor)).text()
    assert.match(history, /A tip from the public/)
  })

  it('shows the contact to editors, at one address only', async () => {
    await using app = await startTestApp(EASY_PROOF)
    await referenceOf(await send(app, { contact: CONTACT, text: `${aTip().text} Call 0803 123 4567.` }))
    const { reports, editor } = await queueOf(app)
    const { id, summary, desk } = reports[0]!
    assert.match(summary, /Call \[number\]/)
    assert.match(desk.text, /0803 123 4567/)
    const tips = (await (await app.get(`/v1/desk/incidents/${id}/tips`, editor)).json()) as {
      data: { contact: string; incident_id: string; additions: number }[]
    }
    assert.deepEqual(
      tips.data.map(({ contact, incident_id, additions }) => [contact, incident_id, additions]),
      [[CONTACT, id, 0]],
    )
    const { text: client } = await app.issue()
    assert.equal((await app.get(`/v1/desk/incidents/${id}/tips`, client)).status, 403)
    assert.equal((await app.get('/v1/desk/incidents/inc_nothing/tips', editor)).status, 404)
    await app.post(`/v1/desk/incidents/${id}/confirm`, '', editor)
    const paths = [
      ...[`/v1/desk/incidents/${id}`, `/v1/desk/incidents/${id}/history`, '/v1/admin/audit', '/v1/desk/counts'],
      ...['/v1/incidents', `/v1/incidents/${id}`, '/v1/changes', '/v1/incidents?format=csv'],
    ]
    for (const path of paths) {
      const body = await (await app.get(path, editor)).text()
      assert.doesNotMatch(body, /Amina/, path)
    }
  })

  it('answers a repetition with the same reference, and stores it once', async () => {
    await using app = await startTestApp({ ...EASY_PROOF, TIPS_PER_HOUR: '3' })
    const body = { ...aTip(), proof: await aProof(app.url) }
    const responses = await Promise.all(Array.from({ length: 3 }, () => postTip(app.url, body)))
    const references = await Promise.all(responses.map(referenceOf))
    for (let again = 0; again < 5; again++) references.push(await referenceOf(await postTip(app.url, body)))
    assert.equal(new Set(references).size, 1)
    assert.equal((await queueOf(app)).reports.length, 1)
    const other = await postTip(app.url, { ...body, text: 'Gunmen killed two people in Gusau.' })
    assert.equal(other.status, 409)
    assert.equal((await problemOf(other)).code, 'challenge_used')
    assert.equal((await queueOf(app)).reports.length, 1)
  })

  it('takes a point, and rounds it', async () => {
    await using app = await startTestApp(EASY_PROOF)
    const { place: _, state: __, ...tip } = aTip()
    const response = await postTip(app.url, {
      ...tip,
      lat: 12.170123456,
      lng: 6.664987654,
      proof: await aProof(app.url),
    })
    await referenceOf(response)
    const [report] = (await queueOf(app)).reports as (QueuedReport & { lat: number; lng: number })[]
    assert.deepEqual([report!.lat, report!.lng, report!.state], [12.17, 6.665, 'Zamfara'])
  })

  it('keeps a village that no gazetteer has, if the state is given', async () => {
    await using app = await startTestApp(EASY_PROOF)
    await referenceOf(await send(app, { place: 'Xyzzyqua' }))
    const [report] = (await queueOf(app)).reports
    assert.deepEqual(report!.location.place, 'Xyzzyqua')
    assert.deepEqual([report!.state, report!.location.precision], ['Zamfara', 'state'])
  })

  const WRONG: [name: string, changes: Record<string, unknown>, pointer: string][] = [
    ['a text that says nothing', { text: '!!! ??? !!! ???' }, '/text'],
    ['a text without a type', { text: 'Something is going on near us.' }, '/type'],
    ['a place that is not known', { place: 'Xyzzyqua', state: null }, '/place'],
    ['no place', { place: null, state: ' ' }, '/place'],
    ['a state that is none', { state: 'Wakanda' }, '/state'],
    ['a point abroad', { lat: 51.5, lng: -0.1 }, '/lat'],
    ['half a point', { lat: 10 }, '/lng'],
    ['a day in the future', { occurred_at: '2999-01-01' }, '/occurred_at'],
    ['a time half an hour ahead', { occurred_at: new Date(Date.now() + 1_800_000).toISOString() }, '/occurred_at'],
    ['a day that is none', { occurred_at: 'last week' }, '/occurred_at'],
    ['a text that is too long', { text: 'a'.repeat(5001) }, '/text'],
    ['a member that is not known', { website: 'https://example.org' }, '/website'],
  ]
  it('says what is wrong, and stores nothing', async () => {
    await using app = await startTestApp(EASY_PROOF)
    for (const [name, changes, pointer] of WRONG) {
      const response = await send(app, changes)
      assert.equal(response.status, 422, `${name}: ${await response.clone().text()}`)
      const { errors } = await problemOf(response)
      assert.ok(errors!.map(({ pointer }) => pointer).includes(pointer), `${name}: ${JSON.stringify(errors)}`)
    }
    assert.equal((await queueOf(app)).reports.length, 0)
  })

  it('asks which place is meant if a name is only similar to one', async () => {
    await using app = await startTestApp(EASY_PROOF)
    const response = await send(app, { place: 'Gusauu', state: null })
    assert.equal(response.status, 422)
    const [error] = (await problemOf(response)).errors!
    assert.equal(error!.pointer, '/place')
    assert.deepEqual(error!.did_you_mean, ['Gusau, Zamfara'])
  })
})

describe('the proof of work of a tip', () => {
  it('must answer a challenge of this service that has not expired', async () => {
    let now = Date.UTC(2026, 10, 16)
    await using app = await startTestApp({ TIP_PROOF_BITS: '6' }, { clock: () => now })
    const proof = await aProof(app.url)
    const [first, ...rest] = proof.solutions
    const wrong: [pointer: string, proof: unknown][] = [
      ['/proof', undefined],
      ['/proof/solutions', { ...proof, solutions: rest }],
      ['/proof/solutions', { ...proof, solutions: [...rest, first] }],
      ['/proof/challenge', { ...proof, challenge: proof.challenge.replace('.6.', '.1.') }],
      ['/proof/challenge', { ...proof, challenge: 'nonsense' }],
    ]
    for (const [pointer, given] of wrong) {
      const response = await postTip(app.url, { ...aTip(), proof: given })
      assert.equal(response.status, 422, pointer)
      assert.equal((await problemOf(response)).errors![0]!.pointer, pointer)
    }
    now += CHALLENGE_LIFETIME_MS + 1
    const expired = await postTip(app.url, { ...aTip(), proof })
    assert.match((await problemOf(expired)).detail, /has expired/)
    now -= 2
    await referenceOf(await postTip(app.url, { ...aTip(), proof }))
  })
})

describe('POST /v1/tips/additions', () => {
  it('adds a note for the desk, and replaces the contact', async () => {
    await using app = await startTestApp({ ...EASY_PROOF, TIPS_PER_HOUR: '100' })
    const reference = await referenceOf(await send(app, { contact: CONTACT }))
    const text = 'All passengers of the first bus are free.'
    const body = { reference: reference.toLowerCase(), text, contact: 'Bala', proof: await aProof(app.url) }
    for (let again = 0; again < 3; again++) assert.equal((await postTip(app.url, body, ADDITIONS)).status, 204)
    const { reports, editor } = await queueOf(app)
    const { id } = reports[0]!
    const { data: history } = (await (await app.get(`/v1/desk/incidents/${id}/history`, editor)).json()) as {
      data: { step: string; note: string | null; by: { name: string } }[]
    }
    assert.deepEqual(
      history.map(({ step, note, by }) => [step, note, by.name]),
      [
        ['report', null, 'A tip from the public'],
        ['note', text, 'A tip from the public'],
      ],
    )
    const tips = await (await app.get(`/v1/desk/incidents/${id}/tips`, editor)).text()
    assert.match(tips, /"contact":"Bala".*"additions":1/)
    const other = await postTip(app.url, { ...body, text: 'Another text for it.' }, ADDITIONS)
    assert.equal(other.status, 409)
  })

  it('goes to the incident that the report was merged into', async () => {
    await using app = await startTestApp(EASY_PROOF)
    await referenceOf(await send(app))
    const reference = await referenceOf(await send(app, { contact: CONTACT }))
    const { reports, editor } = await queueOf(app)
    const [second, first] = reports
    const merged = await app.post(`/v1/desk/incidents/${second!.id}/merge`, { into: first!.id }, editor)
    assert.equal(merged.status, 200, await merged.clone().text())
    assert.equal((await addTo(app, { reference, text: 'They were three men.' })).status, 204)
    const history = await (await app.get(`/v1/desk/incidents/${first!.id}/history`, editor)).text()
    assert.match(history, /They were three men\./)
    assert.match(await (await app.get(`/v1/desk/incidents/${first!.id}/tips`, editor)).text(), /Amina/)
  })

  it('refuses a reference that nobody was given, and more than a tip takes', async () => {
    await using app = await startTestApp({ ...EASY_PROOF, TIPS_PER_HOUR: '100' })
    for (const reference of ['0000-0000-0000-0000', 'nonsense', '']) {
      const response = await addTo(app, { reference, text: 'All are free again.' })
      assert.equal(response.status, 404, reference)
    }
    const reference = await referenceOf(await send(app))
    for (let count = 0; count < MAX_ADDITIONS; count++)
      assert.equal((await addTo(app, { reference, text: `Addition number ${count}.` })).status, 204)
    const last = await addTo(app, { reference, text: 'One more than that.' })
    assert.equal((await problemOf(last)).code, 'too_many_additions')
  })
})

describe('a contact', () => {
  it('is erased by a redaction of it, of everything, or of a word in it', async () => {
    for (const redaction of [{ fields: ['contact'] }, { all: true }, { words: ['amina'] }]) {
      await using app = await startTestApp(EASY_PROOF)
      await referenceOf(await send(app, { contact: CONTACT }))
      const { reports, editor } = await queueOf(app)
      const path = `/v1/desk/incidents/${reports[0]!.id}`
      const unrelated = await app.post(`${path}/redact`, { fields: ['casualties'], reason: 'Wrong.' }, editor)
      assert.equal(unrelated.status, 200)
      assert.match(await (await app.get(`${path}/tips`, editor)).text(), /Amina/)
      const redacted = await app.post(`${path}/redact`, { ...redaction, reason: 'They asked for it.' }, editor)
      assert.equal(redacted.status, 200, await redacted.clone().text())
      assert.match(await (await app.get(`${path}/tips`, editor)).text(), /"contact":null/)
    }
  })
})

describe('limits of tips', () => {
  it('hold for an address, and for the /64 of an IPv6 address, not for others', async () => {
    await using app = await startTestApp({ ...EASY_PROOF, ...BEHIND_PROXY, TIPS_PER_HOUR: '3' })
    const statuses = async (addresses: readonly string[]) => {
      const sent: number[] = []
      for (const address of addresses) sent.push((await send(app, {}, from(address))).status)
      return sent
    }
    assert.deepEqual(await statuses(Array.from({ length: 4 }, () => '198.51.100.7')), [201, 201, 201, 429])
    assert.deepEqual(
      await statuses(['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3', '2001:db8::4', '2001:db8:0:1::1']),
      [201, 201, 201, 429, 201],
    )
  })

  it('hold for all addresses together, over an hour, and say when to try again', async () => {
    let now = Date.UTC(2026, 10, 16)
    const settings = { ...EASY_PROOF, ...BEHIND_PROXY, TIPS_PER_HOUR_TOTAL: '5' }
    await using app = await startTestApp(settings, { clock: () => now })
    for (let number = 1; number <= 5; number++)
      assert.equal((await send(app, {}, from(`198.51.100.${number}`))).status, 201)
    const refused = await send(app, {}, from('198.51.100.99'))
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '3600')
    now += 3_600_000
    assert.equal((await send(app, {}, from('198.51.100.99'))).status, 201)
  })

  it('do not count what was refused for its content', async () => {
    await using app = await startTestApp({ ...EASY_PROOF, TIPS_PER_HOUR: '3' })
    for (let count = 0; count < 5; count++) assert.equal((await send(app, { occurred_at: '2999-01-01' })).status, 422)
    assert.equal((await send(app)).status, 201)
  })
})
