import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownEndpoint as shownByTheService } from '../../../src/deliveries/channels/browser-subscription.ts'
import { type BrowserTraits, pushSupport } from '../../../web/shared/parts/push/push-support.ts'
import { bytesOf, shownEndpoint } from '../../../web/shared/parts/push/subscribe.ts'
import { VAPID_KEYS } from '../../deliveries/channels/settings.ts'

const DESKTOP: BrowserTraits = {
  isSecure: true,
  hasWorkers: true,
  hasPush: true,
  permission: 'default',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/143.0.0.0',
  touchPoints: 0,
  isInstalled: false,
}
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'

describe('whether this browser can show notifications', () => {
  for (const [what, changes, expected] of [
    ['a browser that asks', {}, 'ready'],
    ['one that was allowed to', { permission: 'granted' }, 'ready'],
    ['one that was told not to', { permission: 'denied' }, 'denied'],
    ['a page without https', { isSecure: false }, 'insecure'],
    ['a browser without push', { hasPush: false }, 'unsupported'],
    ['a browser without notifications', { permission: null }, 'unsupported'],
    ['an iPhone', { userAgent: IPHONE, hasPush: false, permission: null }, 'home_screen'],
    ['an iPhone, from the home screen', { userAgent: IPHONE, isInstalled: true }, 'ready'],
    ['an iPad, which says that it is a Mac', { userAgent: MAC, touchPoints: 5, hasPush: false }, 'home_screen'],
    ['a Mac', { userAgent: MAC }, 'ready'],
  ] as const)
    it(`${what}: ${expected}`, () => {
      assert.equal(pushSupport({ ...DESKTOP, ...changes }), expected)
    })
})

it('the console recognises this browser by what the service shows of its address', async () => {
  const endpoint = 'https://push.example.org:8443/a/b?c=d'
  assert.equal(await shownEndpoint(endpoint), shownByTheService(endpoint))
})

it('the key is given to the browser as bytes', () => {
  assert.deepEqual(Buffer.from(bytesOf(VAPID_KEYS.publicKey)), Buffer.from(VAPID_KEYS.publicKey, 'base64url'))
})
