import assert from 'node:assert/strict'
import { it } from 'node:test'
import { problemFrom } from '../../src/http/problem-response.ts'

it('blames a body that breaks off midway on who sent it', () => {
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
  assert.equal(problemFrom(aborted).code, 'malformed_request')
})

it('blames what nobody has foreseen on the service', () => {
  assert.equal(problemFrom(new TypeError('x is undefined')).code, 'internal')
  assert.equal(problemFrom(Object.assign(new Error('busy'), { statusCode: 500 })).code, 'internal')
})
