import { describe, it } from 'node:test'
import { channelsKill } from '../../../resilience/faults/channels/channels.ts'
import { leftOut } from '../../support/tier.ts'
import { assertPassed } from '../assert-passed.ts'

/** `npm run resilience -- channels-kill channels-hanging` runs more. */
describe('a service that is killed while it writes to every channel', { skip: leftOut('channels-kill') }, () => {
  it('loses no message', async () => {
    for (const result of await channelsKill.quick!()) assertPassed(result)
  })
})
