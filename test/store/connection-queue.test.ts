import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Runtime } from '../../src/lib/runtime.ts'
import { ConnectionQueue } from '../../src/store/postgres/connection-queue.ts'
import { TooManyConnections } from '../../src/store/postgres/errors.ts'
import { StoreBusy, StoreUnavailable } from '../../src/store/store.ts'

const WAIT_MS = 5_000

/** A server with so many connections, and a queue of one node for up to `connections` of them. */
function scene(options: { connections: number; allowed?: number }) {
  const timers = new Map<object, { readonly at: number; readonly call: () => void }>()
  let now = 0
  const runtime: Runtime = {
    wallClock: () => now,
    elapsed: () => now,
    setTimeout(call, ms) {
      const timer = {}
      timers.set(timer, { at: now + ms, call })
      return timer
    },
    setInterval: () => assert.fail('no interval is used'),
    clear: (timer) => void timers.delete(timer!),
  }
  const queue = new ConnectionQueue({ connections: options.connections, waitMs: WAIT_MS, runtime })
  const server = { allowed: options.allowed ?? Number.POSITIVE_INFINITY, open: 0, attempts: 0 }
  const lent: string[] = []
  const failed: [string, unknown][] = []
  return {
    queue,
    server,
    lent,
    failed,
    take(name: string) {
      const connect = async () => {
        server.attempts++
        if (server.open >= server.allowed) throw new TooManyConnections('sorry, too many clients already')
        server.open++
      }
      queue.take(connect).then(
        () => lent.push(name),
        (error: unknown) => failed.push([name, error]),
      )
      return settled()
    },
    /** As a pool without idle connections. */
    giveBack() {
      server.open--
      queue.giveBack()
      return settled()
    },
    async pass(ms: number) {
      for (const end = now + ms; ; ) {
        const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at)
        if (next === undefined || next[1].at > end) {
          now = end
          return
        }
        timers.delete(next[0])
        now = next[1].at
        next[1].call()
        await settled()
      }
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue for connections', () => {
  it('lends as many as there may be; the others wait in the order in which they came', async () => {
    const { take, giveBack, lent } = scene({ connections: 2 })
    for (const name of ['a', 'b', 'c', 'd']) await take(name)
    assert.deepEqual(lent, ['a', 'b'])
    await giveBack()
    await take('e')
    assert.deepEqual(lent, ['a', 'b', 'c'])
    await giveBack()
    await giveBack()
    assert.deepEqual(lent, ['a', 'b', 'c', 'd', 'e'])
  })

  it('refuses a call that has waited for its time, and goes on with the next', async () => {
    const { take, giveBack, pass, lent, failed } = scene({ connections: 1 })
    await take('a')
    await take('late')
    await pass(WAIT_MS - 1)
    await take('b')
    assert.equal(failed.length, 0)
    await pass(1)
    assert.deepEqual(
      failed.map(([name, error]) => [name, error instanceof StoreBusy]),
      [['late', true]],
    )
    await giveBack()
    assert.deepEqual(lent, ['a', 'b'])
  })

  it('refuses a call at once if a thousand wait', async () => {
    const { take, lent, failed } = scene({ connections: 1 })
    for (let number = 0; number <= 1_000; number++) await take(String(number))
    assert.deepEqual([lent.length, failed.length], [1, 0])
    await take('one too many')
    assert.match(String(failed[0]?.[1]), /StoreBusy: 1000 calls wait/)
  })

  it('passes on a failure that is not for want of connections, and lends the place to the next', async () => {
    const { queue, take, lent } = scene({ connections: 1 })
    await assert.rejects(
      queue.take(() => Promise.reject(new StoreUnavailable('away'))),
      /away/,
    )
    await take('a')
    assert.deepEqual(lent, ['a'])
  })

  it('does not lose its turn if the server has too few connections', async () => {
    const { take, giveBack, pass, lent, failed, server } = scene({ connections: 4, allowed: 2 })
    for (const name of ['a', 'b', 'c']) await take(name)
    await take('d')
    assert.deepEqual(lent, ['a', 'b'])
    const { attempts } = server
    await giveBack()
    await giveBack()
    assert.deepEqual(lent, ['a', 'b', 'c'])
    assert.equal(server.attempts, attempts + 1, 'waiting callers do not ask the server again')
    await giveBack()
    assert.deepEqual(lent, ['a', 'b', 'c', 'd'])
    await pass(WAIT_MS)
    assert.deepEqual(failed, [])
  })

  it('tries again until its deadline if it has no connection at all', async () => {
    const { take, pass, lent, failed, server } = scene({ connections: 4, allowed: 0 })
    await take('a')
    await pass(1_000)
    assert.ok(server.attempts > 2 && server.attempts < 12, `${server.attempts} attempts in a second`)
    server.allowed = 1
    await pass(1_000)
    assert.deepEqual(lent, ['a'])
    server.allowed = 0
    server.open = 0
    await take('b')
    await pass(WAIT_MS)
    assert.deepEqual(
      failed.map(([name, error]) => [name, error instanceof TooManyConnections]),
      [['b', true]],
    )
  })

  it('gives back half when it is refused, and takes one more each second', async () => {
    const { queue, take, giveBack, pass, lent, server } = scene({ connections: 8, allowed: 6 })
    for (let number = 0; number < 8; number++) await take(String(number))
    assert.equal(lent.length, 6)
    let closed = 0
    while (queue.isOverfull) {
      closed++
      await giveBack()
    }
    const left = server.open
    assert.ok(left <= 3 && left >= 1 && closed >= 3, `${left} left, ${closed} closed`)
    server.allowed = 8
    for (let number = 0; number < 8; number++) await take(`later ${number}`)
    const before = server.open
    await pass(3_000)
    assert.equal(server.open, before + 3)
  })
})
