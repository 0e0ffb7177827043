import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOrigin } from '../../../../src/api/accounts/sessions.ts'
import { Problem } from '../../../../src/domain/errors.ts'

test('the origin is that of PUBLIC_URL, else of the request as browsers write it', () => {
  const request = { protocol: 'http', host: 'desk.example.org:80' } as const
  assert.equal(pageOrigin(request, 'https://incidents.example.org/'), 'https://incidents.example.org')
  assert.equal(pageOrigin(request, null), 'http://desk.example.org')
})

for (const host of ['"><script>', 'a b', '[::'])
  test(`the host ${host} is an error of the client`, () => {
    assert.throws(
      () => pageOrigin({ protocol: 'http', host }, null),
      (error) => error instanceof Problem && error.code === 'malformed_request',
    )
  })

test('a proxy that forwards another protocol than HTTP is an error of the client', () => {
  const request = { protocol: 'nonsense', host: 'desk.example.org' } as unknown as Parameters<typeof pageOrigin>[0]
  assert.throws(
    () => pageOrigin(request, null),
    (error) => error instanceof Problem && error.code === 'malformed_request',
  )
  assert.equal(pageOrigin(request, 'https://incidents.example.org/'), 'https://incidents.example.org')
})
