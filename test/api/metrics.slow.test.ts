import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { promtool, promtoolMissing } from '../support/external-programs.ts'

describe('/metrics', { skip: promtoolMissing() ?? false }, () => {
  it('passes promtool without a lint', async () => {
    await using app = await startTestApp()
    const text = await (await app.get('/metrics', null)).text()
    assert.deepEqual(promtool(['check', 'metrics'], text), { ok: true, output: '' })
  })
})
