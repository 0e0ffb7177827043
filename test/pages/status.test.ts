import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServiceStatus } from '../../client/src/generated/types.ts'
import { LANGUAGE_CODES } from '../../src/domain/languages.ts'
import { english, loadLanguage } from '../../src/i18n/translate.ts'
import { statusBody } from '../../src/pages/status.ts'
import { startTestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const STATUS: ServiceStatus = {
  status: 'ok',
  at: '2026-11-15T12:00:00.000Z',
  in_step_since: '2026-11-12T11:00:00.000Z',
  in_step_at: '2026-11-15T12:00:00.000Z',
  last_confirmed_at: '2026-11-15T11:55:00.000Z',
  incidents_24h: 1234,
  deliveries_24h: { measured: 3, p50_seconds: 0.042, p99_seconds: 12.4 },
  sources: { new: 0, healthy: 7, failing: 2, paused: 0 },
}

describe('the page /status', () => {
  it('says in words what the status says in numbers', () => {
    const { text } = statusBody(STATUS, english)
    for (const part of [
      'what it shows is up to date',
      '3 days ago <small>12 Nov 2026, 12:00 WAT</small>',
      '5 min ago <small>15 Nov 2026, 12:55 WAT</small>',
      '1,234',
      '0.04 s',
      '12 s',
      '7 healthy, 2 failing',
      'As of 15 Nov 2026, 13:00 WAT.',
    ])
      assert.ok(text.includes(part), part)
    assert.doesNotMatch(text, /undefined|null|NaN|\{\w+\}/)
  })

  it('says when it is behind, and what is not known or not there', () => {
    const away = { ...STATUS, status: 'behind', in_step_since: null, deliveries_24h: null, sources: null } as const
    const behind = statusBody(away, english).text
    for (const part of ['may be old', 'Last up to date', 'Not known at present']) assert.ok(behind.includes(part), part)
    const none = { measured: 0, p50_seconds: null, p99_seconds: null }
    const sources = { new: 0, healthy: 0, failing: 0, paused: 0 }
    const empty = statusBody({ ...STATUS, last_confirmed_at: null, deliveries_24h: none, sources }, english).text
    for (const part of ['None yet', 'None was sent', '<dd>None</dd>']) assert.ok(empty.includes(part), part)
  })

  it('is served in every language, needs no script, and is not sent again to those who have it', async () => {
    await using app = await startTestApp()
    await app.publish([anIncident(1)])
    for (const code of LANGUAGE_CODES) {
      const response = await app.get(`/status?lang=${code}`, null)
      const text = await response.text()
      const { translate } = await loadLanguage(code)
      assert.equal(response.status, 200)
      assert.ok(text.includes(`<html lang="${code}">`), code)
      assert.ok(text.includes(translate('status.ok').replaceAll("'", '&#39;')), code)
      assert.doesNotMatch(text, /<script/)
      const again = await app.get(`/status?lang=${code}`, null, { 'if-none-match': response.headers.get('etag')! })
      assert.equal(again.status, 304)
    }
    assert.match(await (await app.get('/about', null)).text(), /<footer.*<a href="\/status">Status<\/a>/s)
  })
})
