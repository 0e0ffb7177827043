import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../support/app.ts'

test('every metric is described, and its name tells a counter from a gauge, as promtool wants', async () => {
  await using app = await startTestApp()
  const text = await (await fetch(`${app.url}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name: name!, type: type! }))
  assert.ok(types.length > 30)
  for (const { name, type } of types) {
    assert.match(name, /^[a-z][a-z0-9_]*$/)
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.doesNotMatch(name, /_(count|sum|bucket|milliseconds|ms|info_info)$/)
    assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
})
