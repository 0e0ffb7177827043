import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  browserAlertOf,
  browserAlertText,
  hostOfEndpoint,
  subscriptionOf,
  withSubscription,
} from '../../../src/deliveries/channels/browser-subscription.ts'
import { aBrowser } from './browser.ts'

for (const [endpoint, host] of [
  ['https://fcm.googleapis.com/fcm/send/abc', 'push service'],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', 'push service'],
  ['https://web.push.apple.com/QAbc', 'push service'],
  ['https://wns2-by3p.notify.windows.com/w/?token=abc', 'push service'],
  ['https://push.example.org/x', 'allowed'],
  ['http://10.0.0.2:8080/x', 'allowed'],
  ['http://10.0.0.2/x', 'other'],
  ['http://fcm.googleapis.com/x', 'other'],
  ['https://fcm.googleapis.com:8443/x', 'other'],
  ['https://user@fcm.googleapis.com/x', 'other'],
  ['https://:x@fcm.googleapis.com/x', 'other'],
  ['https://fcm.googleapis.com.evil.org/x', 'other'],
  ['https://evilfcm.googleapis.com/x', 'other'],
  ['https://evilpush.apple.com/x', 'other'],
  ['https://push.apple.com.evil.org/', 'other'],
  ['https://evil.org/https://fcm.googleapis.com/', 'other'],
  ['x', 'other'],
] as const)
  it(`takes ${endpoint} for ${host}`, () => {
    assert.equal(hostOfEndpoint(endpoint, ['push.example.org', '10.0.0.2:8080']), host)
  })

it('stores an alert beside the subscription, and keeps it with another subscription', () => {
  const [first, second] = ['one', 'two'].map((path) => aBrowser(`https://push.example.org/${path}`).subscription)
  const alert = { key: 'k', label: 'Kaduna' }
  const text = browserAlertText(first!, 'ha', alert)
  assert.deepEqual([subscriptionOf(text), browserAlertOf(text)], [first, alert])
  const moved = withSubscription(text, second!)
  assert.deepEqual([subscriptionOf(moved), browserAlertOf(moved)], [second, alert])
  assert.equal((JSON.parse(moved) as { language: string }).language, 'ha')
  for (const lost of ['', 'whsec_x']) {
    assert.equal(browserAlertOf(lost), null)
    assert.deepEqual(subscriptionOf(withSubscription(lost, first!)), first)
  }
})
