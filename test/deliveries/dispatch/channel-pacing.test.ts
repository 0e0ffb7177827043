import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChannelPacing } from '../../../src/deliveries/dispatch/channel-pacing.ts'
import { aDispatch } from '../dispatches.ts'

describe('pacing', () => {
  it('gives each message of a watch its own time, and lets it start then', () => {
    let now = 1000
    const pacing = new ChannelPacing(() => now)
    const messages = ['a', 'b', 'c'].map((id) => slack(id, 'wat_1'))
    assert.deepEqual(
      messages.map((each) => pacing.startAt(each)),
      [null, 2000, 3000],
    )
    assert.equal(pacing.startAt(slack('d', 'wat_2')), null)
    // A look before its time changes nothing.
    assert.equal(pacing.startAt(messages[2]!), 3000)
    now = 3000
    assert.deepEqual([pacing.startAt(messages[1]!), pacing.startAt(messages[2]!)], [null, null])
  })

  it('waits as long as the channel asked', () => {
    let now = 1000
    const pacing = new ChannelPacing(() => now)
    assert.equal(pacing.startAt(slack('a', 'wat_1')), null)
    assert.equal(pacing.startAt(slack('b', 'wat_1')), 2000)
    pacing.pause('wat_1', 31_000)
    now = 2000
    assert.equal(pacing.startAt(slack('b', 'wat_1')), 31_000)
    now = 31_000
    assert.equal(pacing.startAt(slack('b', 'wat_1')), null)
  })

  it('does not delay webhooks', () => {
    const pacing = new ChannelPacing(() => 0)
    const webhook = aDispatch({ id: 'x' })
    assert.deepEqual([pacing.startAt(webhook), pacing.startAt(webhook)], [null, null])
  })
})

function slack(id: string, watchId: string) {
  const dispatch = aDispatch({ id, watchId })
  return { ...dispatch, endpoint: { ...dispatch.endpoint, channel: 'slack' as const } }
}
