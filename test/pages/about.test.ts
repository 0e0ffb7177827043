import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PRECISIONS } from '../../src/domain/incident.ts'
import { LANGUAGE_CODES } from '../../src/domain/languages.ts'
import { CONFIDENCE_LEVELS, SEVERITIES } from '../../src/domain/taxonomy.ts'
import { loadLanguage } from '../../src/i18n/translate.ts'
import { acceptedLanguages } from '../../src/pages/page-language.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app[Symbol.asyncDispose]())

const textOf = async (path: string, headers: Record<string, string> = {}) => (await app.get(path, null, headers)).text()

test('the page says how incidents are found, confirmed, corrected, how complete they are, and who is credited', async () => {
  const text = await textOf('/about')
  for (const part of [
    'How incidents are found',
    'How they are confirmed',
    'How they are corrected',
    'How complete they are',
    'What the marks mean',
    'GeoNames, CC BY 4.0',
    'SIL Open Font License',
  ])
    assert.ok(text.includes(part), part)
  assert.doesNotMatch(text, /\{\w+\}|undefined|made up/)
})

test('the address chooses the language, else the browser does; a draft says that it is one', async () => {
  assert.match(await textOf('/about'), /<html lang="en">/)
  assert.doesNotMatch(await textOf('/about'), /class="draft"/)
  for (const code of LANGUAGE_CODES.filter((code) => code !== 'en')) {
    const text = await textOf(`/about?lang=${code}`)
    assert.ok(text.includes(`<html lang="${code}">`))
    assert.match(text, /<p class="draft">/)
  }
  assert.match(await textOf('/about', { 'accept-language': 'fr, yo;q=0.8, en;q=0.5' }), /<html lang="yo">/)
  assert.match(await textOf('/about?lang=en', { 'accept-language': 'ha' }), /<html lang="en">/)
  assert.match(await textOf('/about?lang=%3Cscript%3E'), /<html lang="en">/)
  assert.match((await app.get('/about', null)).headers.get('vary')!, /Accept-Language/)
})

for (const code of LANGUAGE_CODES) {
  test(`every severity, precision and level of confidence is explained in ${code}`, async () => {
    const text = await textOf(`/about?lang=${code}`)
    const { translate } = await loadLanguage(code)
    const keys = [
      'page.about',
      ...SEVERITIES.map((severity) => `common.severity_${severity}_meaning` as const),
      ...PRECISIONS.map((precision) => `panel.precision_help_${precision}` as const),
      ...CONFIDENCE_LEVELS.map((level) => `panel.confidence_help_${level}` as const),
    ] as const
    for (const key of keys) assert.ok(text.includes(translate(key).replaceAll("'", '&#39;')), key)
  })
}

test('a service with made-up incidents says so', async () => {
  await using demo = await startTestApp({ DEMO: 'true' })
  assert.match(await (await demo.get('/about', null)).text(), /made up/)
})

test('preferences are read by their quality, and an endless header only in part', () => {
  assert.deepEqual(acceptedLanguages('en;q=0.5, ha-NG, ig;q=0, *;q=0.1'), ['ha-NG', 'en', '*'])
  assert.deepEqual(acceptedLanguages(''), [])
  assert.equal(acceptedLanguages('ha,'.repeat(10_000)).length, 20)
})
