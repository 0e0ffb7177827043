import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mostly } from '../../../resilience/fuzz/generators/chance.ts'
import { LearnedValues } from '../../../resilience/fuzz/generators/learned-values.ts'
import { anyRequest, type FuzzRequest } from '../../../resilience/fuzz/generators/requests.ts'
import { OpenApiDocument } from '../../../resilience/fuzz/openapi-document.ts'
import { sendAndShrink } from '../../../resilience/fuzz/shrink.ts'
import { openApi } from '../../../src/api/contract/openapi.ts'
import fc from '../../support/fast-check.ts'

const TEXTS = {
  operate: 'operate-key',
  watch: 'watch-key',
  read: 'read-key',
  publishable: 'publishable-key',
  originBound: 'origin-key',
  revoked: 'revoked-key',
  expired: 'expired-key',
}
const SOURCES = {
  document: new OpenApiDocument(
    openApi('1', 'http://localhost') as unknown as ConstructorParameters<typeof OpenApiDocument>[0],
  ),
  learned: new LearnedValues([]),
  keys: { ids: [], texts: TEXTS },
  urls: ['http://127.0.0.1:1/hook'],
  aim: [],
}
const requests = anyRequest(SOURCES)

async function firstOf(seed: number): Promise<FuzzRequest> {
  let first: FuzzRequest | null = null
  const send = async (request: FuzzRequest) => {
    first = request
    return null
  }
  assert.equal(await sendAndShrink(requests, seed, send, () => true), null)
  return first!
}

describe('a random request', () => {
  it('is the same for the same seed', async () => {
    const withoutTime = ({ body: _, ...request }: FuzzRequest) => request
    for (const seed of [1, 2, -3]) assert.deepEqual(withoutTime(await firstOf(seed)), withoutTime(await firstOf(seed)))
    assert.notDeepEqual(await firstOf(1), await firstOf(2))
  })

  it('goes to the operation aimed at in most cases, and an unknown one is refused', () => {
    const aimed = fc.sample(anyRequest({ ...SOURCES, aim: ['readTrends'] }), { numRuns: 300, seed: 1 })
    const hits = aimed.filter(({ target }) => target.startsWith('/v1/trends')).length
    assert.ok(hits > 150 && hits < 300, `${hits} of 300`)
    assert.throws(() => anyRequest({ ...SOURCES, aim: ['readTrend'] }), /no operation is called readTrend/)
  })

  it('that fails is shrunk to the part that makes it fail', async () => {
    const fails = ({ target }: FuzzRequest) => target.startsWith('/v1/incidents?') && target.includes('min_severity=')
    let shrunk = null
    for (let seed = 0; shrunk === null; seed++) {
      const send = async (request: FuzzRequest) => (fails(request) ? { kind: 'a 500', response: '' } : null)
      shrunk = await sendAndShrink(requests, seed, send, () => true)
    }
    const { method, target, headers, body, disconnectsEarly } = shrunk.input
    assert.match(target, /^\/v1\/incidents\?min_severity=[^&]*$/)
    assert.deepEqual([method, body, disconnectsEarly], ['GET', null, false])
    assert.deepEqual(
      headers.map(([name]) => name),
      ['authorization', 'x-forwarded-for'],
    )
  })

  it('is not shrunk if its kind of failure is known', async () => {
    let sent = 0
    const send = async () => {
      sent++
      return { kind: 'a 500', response: '' }
    }
    const failed = await sendAndShrink(requests, 1, send, () => false)
    assert.deepEqual([failed?.failure.kind, failed?.attempts, sent], ['a 500', 0, 1])
  })
})

it('shrinking keeps to the first kind of failure', async () => {
  const send = async (number: number) => ({ kind: number > 100 ? 'large' : 'small', response: '' })
  const shrunk = await sendAndShrink(fc.integer({ min: 1000, max: 10_000 }), 1, send, () => true)
  assert.deepEqual([shrunk?.input, shrunk?.failure.kind], [1000, 'large'])
})

it('a usual value is generated with the remaining probability', () => {
  const values = fc.sample(fc.noBias(mostly(fc.constant('usual'), [0.2, fc.constant('other')])), {
    seed: 1,
    numRuns: 5000,
  })
  const share = values.filter((value) => value === 'usual').length / values.length
  assert.ok(share > 0.77 && share < 0.83, String(share))
})
