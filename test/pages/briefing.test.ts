import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadLanguage } from '../../src/i18n/translate.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({}, { clock: () => Date.UTC(2026, 0, 2) })
  await app.publish(
    Array.from({ length: 50 }, (_, number) =>
      anIncident(number, {
        summary: `<b>event</b> ${number}`,
        severity: number < 10 ? 'critical' : 'low',
        casualties: { killed: 2, injured: null, abducted: null },
      }),
    ),
  )
})
after(() => app[Symbol.asyncDispose]())

const textOf = async (path: string) => (await app.get(path, null)).text()

test('the briefing has the figures that the API counts, the map, the newest incidents and when it was made', async () => {
  const { text: key } = await app.issue()
  const counted = (await (await app.get('/v1/stats?group_by=severity&severity=critical', key)).json()) as {
    total: { count: number; casualties: { killed: number } }
  }
  const text = await textOf('/briefing?severity=critical&span=all')
  assert.equal(counted.total.count, 10)
  assert.ok(text.includes('10 incidents') && text.includes(`${counted.total.casualties.killed} killed`))
  assert.equal(text.match(/<li class="with-mark"><span class="mark critical"><\/span><span><strong>/g)?.length, 10)
  assert.match(text, /<svg viewBox="0 0 720 520"/)
  assert.match(text, /Made on 2 Jan 2026, 01:00 WAT from <a href="http[^"]+\/\?severity=critical&amp;span=all">/)
  assert.doesNotMatch(text, /<b>event|NaN|undefined|\{\w+\}/)
})

test('a box up to the poles has a map with every incident on it', async () => {
  const text = await textOf('/briefing?box=-180,-90,180,90&span=all')
  const [svg = ''] = /<svg viewBox="0 0 720 520".*?<\/svg>/s.exec(text) ?? []
  assert.match(svg, /<path d="M/)
  assert.match(svg, />50<\/text>/)
})

test('a long list ends with the number of those that are not listed', async () => {
  const text = await textOf('/briefing?span=all')
  assert.ok(text.includes('50 incidents') && text.includes('And 10 more, not listed here.'))
})

test('it keeps the view in other languages, and no input makes an error of the server', async () => {
  const text = await textOf('/briefing?state=kaduna&lang=ha')
  assert.match(text, /<html lang="ha">/)
  const { translate } = await loadLanguage('ha')
  for (const sentence of [
    translate('share.briefing_title', { place: 'Kaduna' }),
    translate('common.incidents', { count: '50' }),
    translate('common.killed', { count: '100' }),
    translate('common.severity_critical'),
    translate('common.draft'),
  ])
    assert.ok(text.includes(sentence.replaceAll("'", '&#39;')), sentence)
  assert.match(text, /href="http[^"]+\/briefing\?state=kaduna&amp;lang=yo"/)
  for (const query of ['state=Atlantis', 'at=x/y/z', 'from=never', '%', `state=${'x'.repeat(3000)}`])
    assert.equal((await app.get(`/briefing?${query}`, null)).status, 200, query)
})
