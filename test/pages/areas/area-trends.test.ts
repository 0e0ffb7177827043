import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { LANGUAGE_CODES } from '../../../src/domain/languages.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const DAY = 86_400_000
let app: TestApp
let numbered = 0

function happened(at: number, more: Partial<Incident> = {}): Incident {
  const time = new Date(at).toISOString()
  return anIncident(++numbered, { occurred_at: time, published_at: time, updated_at: time, ...more })
}

const { location } = anIncident()
const IKEJA: Partial<Incident> = {
  state: 'Lagos',
  lga: 'Ikeja',
  location: { ...location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
}

/** The text of the block, without tags. */
async function trendOn(path: string): Promise<string> {
  const response = await app.get(path, null)
  assert.equal(response.status, 200)
  const [block] = /<section class="area-trend">.*?<\/section>/s.exec(await response.text()) ?? ['']
  return block
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  // Six years with an incident every fourth day in Chikun, a bad October, and one incident in
  // Ikeja.
  const history: Incident[] = []
  for (let day = 6 * 365 + 30; day > 1; day--) if (day % 4 === 0) history.push(happened(NOW - day * DAY))
  for (let day = 5; day < 25; day++) history.push(happened(Date.UTC(2026, 9, day)))
  await app.publish([...history, happened(NOW - DAY, IKEJA)])
})
after(() => app[Symbol.asyncDispose]())

describe('the page of an area', () => {
  it('says how the last month and this one compare with the usual', async () => {
    const sentences =
      /^Compared with the usual 2\d in October 2026; \d+ to \d+ would be usual\. Higher than usual 2 so far this month; \d+ to \d+ would be usual for a whole month\. Counted by the day on which it happened, and compared with the same season of the 5 years before\./
    for (const path of ['/nigeria/kaduna/chikun', '/nigeria/kaduna']) assert.match(await trendOn(path), sentences)
    assert.match(
      await trendOn('/nigeria'),
      /2\d in October 2026; \d+ to \d+ would be usual\. Higher than usual 3 so far/,
    )
  })

  it('says that history is too thin, and gives no verdict', async () => {
    assert.equal(
      await trendOn('/nigeria/lagos/ikeja'),
      'Compared with the usual 0 in October 2026. 1 so far this month. There is too little history here to say what would be usual. How this is compared',
    )
    // Nothing was ever published about it.
    assert.equal(await trendOn('/nigeria/ogun'), '')
  })

  it('counts an event at once', async () => {
    const october = /^Compared with the usual (\d+) in October/
    const before = Number(october.exec(await trendOn('/nigeria/kaduna/chikun'))![1])
    await app.publish([happened(Date.UTC(2026, 9, 28)), happened(NOW - 3_600_000, IKEJA)])
    assert.equal(Number(october.exec(await trendOn('/nigeria/kaduna/chikun'))![1]), before + 1)
    assert.match(await trendOn('/nigeria/lagos/ikeja'), /2 so far this month/)
  })

  it('says so in every language', async () => {
    for (const language of LANGUAGE_CODES) {
      const { translate } = await loadLanguage(language)
      const text = await trendOn(`/nigeria/kaduna?lang=${language}`)
      for (const key of ['areas.trend_title', 'areas.trend_higher', 'areas.trend_how'] as const)
        assert.ok(text.includes(translate(key)), `${language}: ${text}`)
      assert.doesNotMatch(text, /undefined|NaN|\{\w+\}/)
    }
  })
})
