import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, startTestApp } from '../../support/app.ts'

test('METRICS_PORT moves /metrics to a port of its own, which has nothing else', async () => {
  await using app = await startTestApp({ METRICS_PORT: '0' })
  assert.equal((await problemOf(await app.get('/metrics', null))).code, 'not_found')
  const { metricsUrl } = app.app
  assert.match(metricsUrl!, /^http:\/\/127\.0\.0\.1:\d+$/)
  const metrics = await fetch(`${metricsUrl}/metrics`)
  assert.match(await metrics.text(), /^incident_feed_responses_total\{status="404"\} 1$/m)
  for (const path of ['/', '/docs', '/v1/incidents'])
    assert.equal((await problemOf(await fetch(metricsUrl + path))).code, 'not_found')
})

test('without METRICS_PORT, /metrics is public', async () => {
  await using app = await startTestApp()
  assert.equal(app.app.metricsUrl, null)
  const text = await (await app.get('/metrics', null)).text()
  assert.match(text, /^incident_feed_connections_open 1$/m)
  assert.match(text, /^incident_feed_connections_refused_total\{limit="address"\} 0$/m)
})
