import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { test } from 'node:test'
import { ConnectionBounds } from '../../../src/api/server.ts'
import { parseTrustedProxies } from '../../../src/lib/network.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  destroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function boundedServer(all: number, perAddress: number, trusted = 'false') {
  let idleClosed = 0
  const server = Object.assign(new EventEmitter(), { maxConnections: 0, closeIdleConnections: () => idleClosed++ })
  const bounds = new ConnectionBounds({ all, perAddress, isTrusted: parseTrustedProxies(trusted)! })
  bounds.apply(server as unknown as Server)
  const open = (address: string): FakeSocket => {
    const socket = new FakeSocket(address)
    server.emit('connection', socket)
    return socket
  }
  return { server, bounds, open, idleClosed: () => idleClosed }
}

test('an IPv6 /64 counts as one address, and IPv4-mapped addresses as IPv4', () => {
  const { open, bounds } = boundedServer(100, 2)
  const refused = (...addresses: string[]) => addresses.map((address) => open(address).destroyed)
  assert.deepEqual(refused('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'), [false, false, true, false])
  assert.deepEqual(refused('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'), [false, false, true, false])
  assert.deepEqual(bounds.refused, { address: 2, all: 0 })
})

test('a closed connection makes room', () => {
  const { open } = boundedServer(100, 1)
  const first = open('192.0.2.1')
  assert.equal(open('192.0.2.1').destroyed, true)
  first.destroy()
  assert.equal(open('192.0.2.1').destroyed, false)
})

test('above the total, idle connections are closed; the machine itself and trusted proxies still get in', () => {
  const { server, open, bounds, idleClosed } = boundedServer(2, 2, '10.0.0.0/8')
  for (const address of ['192.0.2.1', '192.0.2.2']) assert.equal(open(address).destroyed, false)
  assert.equal(open('192.0.2.3').destroyed, true)
  assert.equal(idleClosed(), 1)
  assert.deepEqual(bounds.refused, { address: 0, all: 1 })
  for (const address of ['127.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1']) assert.equal(open(address).destroyed, false)
  assert.equal(server.maxConnections, 102)
})
