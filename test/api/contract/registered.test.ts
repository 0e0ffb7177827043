import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HTTPMethods } from 'fastify'
import { ENDPOINTS } from '../../../src/api/contract/reference.ts'
import { startTestApp } from '../../support/app.ts'

test('every endpoint of the contract has a handler', async () => {
  await using app = await startTestApp()
  const missing = ENDPOINTS.filter(({ method, path }) => {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    return !app.app.server.hasRoute({ method: method as HTTPMethods, url })
  })
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  )
})
