import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'

let app: TestApp
let key: string
let numbers = 0
before(async () => {
  app = await startTestApp()
  key = (await app.issue()).text
})
after(() => app[Symbol.asyncDispose]())

const NONE = { every: 'none', hour: null, break_severity: null }
const create = (more: object) =>
  app.post('/v1/watches', { name: `Scheduled ${++numbers}`, url: 'https://192.0.43.8/hook', filter: {}, ...more }, key)

async function made(more: object): Promise<{ id: string; digest: unknown; quiet_hours: unknown }> {
  const response = await create(more)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as { id: string; digest: unknown; quiet_hours: unknown }
}
const scheduleOf = ({ digest, quiet_hours }: { digest: unknown; quiet_hours: unknown }) => [digest, quiet_hours]

describe('the schedule of a watch', () => {
  it('is at once unless something else is asked for', async () => {
    assert.deepEqual(scheduleOf(await made({})), [NONE, null])
    assert.deepEqual(scheduleOf(await made({ digest: { every: 'none' }, quiet_hours: null })), [NONE, null])
  })

  it('has defaults, is shown as it is kept, and is changed part by part', async () => {
    const watch = await made({ digest: { every: 'daily' }, quiet_hours: { from: '22:30', until: '06:00' } })
    const digest = { every: 'daily', hour: 7, break_severity: null }
    assert.deepEqual(scheduleOf(watch), [digest, { from: '22:30', until: '06:00', break_severity: 'critical' }])
    const change = async (body: object) => {
      const response = await app.patch(`/v1/watches/${watch.id}`, body, key, null)
      assert.equal(response.status, 200, await response.clone().text())
      return scheduleOf((await response.json()) as typeof watch)
    }
    assert.deepEqual(await change({ quiet_hours: null }), [digest, null])
    assert.deepEqual(await change({ digest: { every: 'hourly', break_severity: 'high' } }), [
      { every: 'hourly', hour: null, break_severity: 'high' },
      null,
    ])
    const quiet = { from: '00:00', until: '05:30', break_severity: null }
    const hourly = { every: 'hourly', hour: null, break_severity: 'high' }
    assert.deepEqual(await change({ digest: hourly }), [hourly, null], 'as it was read')
    assert.deepEqual((await change({ quiet_hours: quiet }))[1], quiet)
    assert.deepEqual(await change({ digest: { every: 'none' } }), [NONE, quiet])
  })

  const wrong: readonly (readonly [string, object, string])[] = [
    ['an unknown interval', { digest: { every: 'weekly' } }, '/digest/every'],
    ['an hour that no day has', { digest: { every: 'daily', hour: 24 } }, '/digest/hour'],
    ['an hour of an hourly digest', { digest: { every: 'hourly', hour: 3 } }, '/digest/hour'],
    [
      'a severity that breaks no digest',
      { digest: { every: 'none', break_severity: 'high' } },
      '/digest/break_severity',
    ],
    ['an unknown severity', { digest: { every: 'hourly', break_severity: 'awful' } }, '/digest/break_severity'],
    ['an unknown member', { digest: { every: 'hourly', minute: 3 } }, '/digest/minute'],
    ['a time that no clock shows', { quiet_hours: { from: '24:00', until: '06:00' } }, '/quiet_hours/from'],
    ['quiet hours without an end', { quiet_hours: { from: '22:00' } }, '/quiet_hours/until'],
    ['quiet hours without length', { quiet_hours: { from: '22:00', until: '22:00' } }, '/quiet_hours/until'],
    [
      'a digest in the quiet hours',
      { digest: { every: 'daily', hour: 5 }, quiet_hours: { from: '22:00', until: '06:00' } },
      '/digest/hour',
    ],
  ]
  for (const [name, body, pointer] of wrong)
    it(`is refused: ${name}`, async () => {
      const problem = await problemOf(await create(body))
      assert.equal(problem.status, 422)
      assert.equal((problem.errors![0] as { pointer?: string }).pointer, pointer)
    })
})
