import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../support/app.ts'

test('answers are counted by route, method and status, streams without their duration', async () => {
  await using app = await startTestApp()
  for (const path of ['/v1/incidents', '/v1/incidents?limit=5', '/incidents']) await (await app.get(path)).text()
  await app.get('/nowhere')
  const { url } = app
  const authorization = `Bearer ${(await app.issue()).text}`
  await fetch(`${url}/v1/incidents`, { method: 'HEAD', headers: { authorization } })
  await fetch(`${url}/v1/stream`, { method: 'HEAD', headers: { authorization } })
  await fetch(`${url}/v1/stream?limit=5`, { headers: { authorization } })
  const text = await (await app.get('/metrics', null)).text()
  const durations = (labels: string) =>
    new RegExp(`^incident_feed_request_duration_seconds_${labels} (.+)$`, 'm').exec(text)?.[1]
  const list = 'method="GET",route="/v1/incidents"'
  assert.equal(durations(`count\\{${list}\\}`), '2')
  assert.equal(durations(`bucket\\{le="\\+Inf",${list}\\}`), '2')
  assert.ok(Number(durations(`sum\\{${list}\\}`)) > 0)
  assert.ok(Number(durations(`bucket\\{le="0.001",${list}\\}`)) <= 2)
  assert.equal(durations('count\\{method="GET",route="/incidents"\\}'), '1')
  assert.equal(durations('count\\{method="HEAD",route="/v1/incidents"\\}'), '1')
  assert.equal(durations('count\\{method="GET",route="none"\\}'), '1')
  assert.equal(durations('count\\{method="HEAD",route="/v1/stream"\\}'), undefined)
  assert.equal(durations('count\\{method="GET",route="/v1/stream"\\}'), '1', 'a refused stream has a duration')
  assert.match(text, /^incident_feed_responses_total\{status="200"\} 5$/m)
  assert.match(text, /^incident_feed_responses_total\{status="400"\} 1$/m)
  assert.match(text, /^incident_feed_responses_total\{status="404"\} 1$/m)
})
