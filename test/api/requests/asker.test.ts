import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { QueryClient } from '../../../src/api/request.ts'

function anOpenReply(): { raw: EventEmitter; asker: QueryClient } {
  const raw = Object.assign(new EventEmitter(), { destroyed: false })
  return { raw, asker: new QueryClient({} as FastifyRequest, { raw } as unknown as FastifyReply) }
}

test('the signal is aborted when the connection closes; many questions of one request share it', () => {
  const { raw, asker } = anOpenReply()
  const signals = Array.from({ length: 50 }, () => asker.signal())
  assert.equal(raw.listenerCount('close'), 1)
  assert.equal(signals[0]!.aborted, false)
  raw.emit('close')
  assert.ok(signals.every((signal) => signal.aborted))
})

test('a request whose connection is closed already is aborted at once', () => {
  const raw = Object.assign(new EventEmitter(), { destroyed: true })
  const asker = new QueryClient({} as FastifyRequest, { raw } as unknown as FastifyReply)
  assert.equal(asker.signal().aborted, true)
})
