import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf } from '../../../src/deliveries/channels/alert.ts'
import { webPushBody } from '../../../src/deliveries/channels/web-push.ts'
import { openNotification, readNotification } from '../../../web/service-worker/notifications.ts'
import type { WorkerScope } from '../../../web/service-worker/worker-scope.ts'
import { NO_CHANNELS } from '../../deliveries/channels/settings.ts'
import { anIncident } from '../../support/incident.ts'

const OWN = 'https://feed.example.org'

/**
 * A click on a notification, with these pages open. Returns what was opened or brought to the
 * front.
 */
async function click(data: unknown, open: string[] = [], action = ''): Promise<string[]> {
  const done: string[] = []
  const scope = {
    location: { origin: OWN },
    clients: {
      matchAll: async () => open.map((url) => ({ url, focus: async () => done.push(`focus ${url}`) })),
      openWindow: async (url: string) => done.push(`open ${url}`),
    },
  } as unknown as WorkerScope
  await openNotification(scope, data, action)
  return done
}

describe('a notification', () => {
  it('is read as the service writes it', () => {
    const document = JSON.stringify(anIncident(1))
    const alert = alertOf({ event: 'incident.created', watchName: 'Roads', test: false, document }, NO_CHANNELS, 'en')
    const body = webPushBody(alert)
    assert.deepEqual(readNotification(JSON.stringify(body)), body.notification)
  })

  for (const text of [undefined, '', 'x', '{}', 'null', '{"notification":{"title":1}}'])
    it(`is shown all the same if it is ${JSON.stringify(text)}`, () => {
      assert.equal(readNotification(text).navigate, '/')
    })

  it('opens its incident, in the page that shows it already', async () => {
    const incident = `${OWN}/incidents/inc_1`
    assert.deepEqual(await click({ navigate: incident }), [`open ${incident}`])
    assert.deepEqual(await click({ navigate: incident }, [`${OWN}/`, incident]), [`focus ${incident}`])
  })

  it('opens what its button leads to', async () => {
    const data = { navigate: `${OWN}/incidents/inc_1`, actions: [{ action: 'alerts', navigate: `${OWN}/alerts` }] }
    assert.deepEqual(await click(data, [], 'alerts'), [`open ${OWN}/alerts`])
    assert.deepEqual(await click(data, [], 'other'), [`open ${OWN}/incidents/inc_1`])
  })

  it('opens only pages of this service, under the address that this browser uses', async () => {
    assert.deepEqual(await click({ navigate: 'https://evil.example/incidents/inc_1?x#y' }), [
      `open ${OWN}/incidents/inc_1?x`,
    ])
    assert.deepEqual(await click({ navigate: 'javascript:alert(1)' }), [`open ${OWN}/`])
    assert.deepEqual(await click(null), [`open ${OWN}/`])
  })
})
