import assert from 'node:assert/strict'
import { createECDH, createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { alertOf } from '../../src/deliveries/channels/alert.ts'
import {
  browserAlertOf,
  browserAlertText,
  hostOfEndpoint,
  parseSubscription,
  shownEndpoint,
  subscriptionOf,
  subscriptionText,
  withSubscription,
} from '../../src/deliveries/channels/browser-subscription.ts'
import { readReply } from '../../src/deliveries/channels/channel-request.ts'
import {
  encryptMessage,
  MAX_PAYLOAD_BYTES,
  MAX_PLAINTEXT_BYTES,
  newVapidKeys,
  VapidSigner,
  webPushBody,
  webPushHeaders,
} from '../../src/deliveries/channels/web-push.ts'
import { verdictOn } from '../../src/domain/retry.ts'
import type { WatchEvent } from '../../src/domain/watch.ts'
import { anIncident } from '../support/incident.ts'
import { aBrowser, NO_CHANNELS, VAPID_KEYS } from './fixtures.ts'

const NOW = Date.parse('2026-11-17T03:00:00Z')
const HOSTILE = '\u0000"\\<b>é漢😀\ud800'

const alert = (event: WatchEvent, changes: object = {}) =>
  alertOf(
    { event, watchName: 'Roads', test: false, document: JSON.stringify({ ...anIncident(1), ...changes }) },
    NO_CHANNELS,
    'en',
  )

describe('a message to a browser', () => {
  it('is the one of the example of RFC 8291', () => {
    const subscription = {
      endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const keys = {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    }
    const plaintext = Buffer.from('When I grow up, I want to be a watermelon')
    assert.equal(
      encryptMessage(plaintext, subscription, keys).toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('is read by another implementation with the keys of the browser, and only with these', () => {
    const [browser, other] = [aBrowser('https://push.example.org/1'), aBrowser('https://push.example.org/2')]
    for (const text of ['', 'a', 'Ọ̀yọ́ 😀'.repeat(200), 'x'.repeat(MAX_PLAINTEXT_BYTES)]) {
      const encrypted = encryptMessage(Buffer.from(text), browser.subscription)
      assert.equal(browser.decrypt(encrypted), text)
      assert.ok(encrypted.length <= 4096)
      assert.throws(() => other.decrypt(encrypted))
    }
  })

  it('never has the same key or salt twice, and is refused above one record', () => {
    const { subscription } = aBrowser('https://push.example.org/1')
    const [one, two] = [1, 2].map(() => encryptMessage(Buffer.from('x'), subscription))
    assert.notDeepEqual(one!.subarray(0, 16), two!.subarray(0, 16))
    assert.notDeepEqual(one!.subarray(21, 86), two!.subarray(21, 86))
    assert.throws(() => encryptMessage(Buffer.alloc(MAX_PLAINTEXT_BYTES + 1), subscription), RangeError)
  })
})

describe('the signature of the service', () => {
  const endpoint = 'https://push.example.org:8443/a/b?c'
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

  it('is verified with the public key, for this push service and less than a day', () => {
    const header = new VapidSigner(VAPID_KEYS, () => 'mailto:operator@example.org').authorization(endpoint, NOW)
    const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header)!
    assert.equal(key, VAPID_KEYS.publicKey)
    const [head, claims, signature] = token!.split('.') as [string, string, string]
    const point = Buffer.from(key!, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } })
    assert.ok(
      verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    )
    assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { typ: 'JWT', alg: 'ES256' })
    const { aud, exp, sub } = claimsOf(token!) as { aud: string; exp: number; sub: string }
    assert.deepEqual([aud, sub], ['https://push.example.org:8443', 'mailto:operator@example.org'])
    assert.ok(exp > NOW / 1000 + 3600 && exp < NOW / 1000 + 24 * 3600)
  })

  it('is kept for an hour for each push service, also if the clock is set back', () => {
    const signer = new VapidSigner(VAPID_KEYS, () => 'https://feed.example.org')
    const first = signer.authorization(endpoint, NOW)
    assert.equal(signer.authorization('https://push.example.org:8443/other', NOW + 3_500_000), first)
    assert.notEqual(signer.authorization('https://other.example.org/', NOW), first)
    assert.notEqual(signer.authorization(endpoint, NOW + 3_700_000), first)
    assert.notEqual(signer.authorization(endpoint, NOW - 86_400_000), signer.authorization(endpoint, NOW))
  })

  it('has keys of full length', () => {
    for (let count = 0; count < 300; count++) {
      const { publicKey, privateKey } = newVapidKeys()
      assert.deepEqual(
        [Buffer.from(publicKey, 'base64url').length, Buffer.from(privateKey, 'base64url').length],
        [65, 32],
      )
    }
  })
})

describe('a notification', () => {
  it('says what, where, when, how sure, from whom, and until when, and leads to the incident', () => {
    const created = alert('incident.created')
    const { notification, web_push } = webPushBody(created)
    assert.equal(web_push, 8030)
    assert.equal(notification.title, created.title)
    for (const { label, value } of created.facts) assert.ok(notification.body.includes(`${label}: ${value}`), label)
    assert.ok(notification.body.includes(created.summary!) && notification.body.includes(created.note))
    assert.equal(notification.navigate, `https://feed.example.org/incidents/${anIncident(1).id}`)
  })

  it('is one for each incident: a correction and a withdrawal replace it, waiting or shown', () => {
    const { subscription } = aBrowser('https://push.example.org/1')
    const { subscription: other } = aBrowser('https://push.example.org/1')
    const kinds = ['incident.created', 'incident.updated', 'incident.retracted'] as const
    const alerts = kinds.map((event) => alert(event))
    assert.equal(new Set(alerts.map((each) => webPushBody(each).notification.tag)).size, 1)
    const topics = alerts.map((each) => webPushHeaders(each, subscription).topic)
    assert.equal(new Set(topics).size, 1)
    assert.match(topics[0]!, /^[\w-]{32}$/)
    assert.notEqual(webPushHeaders(alerts[0]!, other).topic, topics[0], 'nobody can tell two browsers of one incident')
    assert.notEqual(webPushHeaders(alert('incident.created', { id: anIncident(2).id }), subscription).topic, topics[0])
    assert.deepEqual(
      alerts.map((each) => webPushHeaders(each, subscription).ttl),
      ['86400', '2419200', '2419200'],
    )
  })

  it('fits into 3 kB whatever others wrote', () => {
    const long = {
      summary: HOSTILE.repeat(400),
      sources: Array.from({ length: 9 }, (_, index) => ({
        url: null,
        publisher: `${HOSTILE.repeat(30)}${index}`,
        published_at: null,
      })),
      location: { ...anIncident(1).location, place: HOSTILE.repeat(100) },
    }
    const context = { ...NO_CHANNELS, advice: { [anIncident(1).type]: HOSTILE.repeat(60) } }
    const document = JSON.stringify({ ...anIncident(1), ...long })
    const longest = alertOf(
      { event: 'incident.updated', watchName: HOSTILE.repeat(20), test: true, document },
      context,
      'yo',
    )
    const message = { event: 'incident.updated', watchName: HOSTILE.repeat(20), test: true, document } as const
    const digest = alertOf({ ...message, further: Array(199).fill(message) }, context, 'yo')
    for (const each of [longest, digest]) {
      const bytes = Buffer.byteLength(JSON.stringify(webPushBody(each)))
      assert.ok(bytes <= MAX_PAYLOAD_BYTES, String(bytes))
    }
    assert.match(webPushBody(longest).notification.body, /Ìkìlọ̀ yìí wúlò títí di/)
  })
})

describe('a subscription', () => {
  const { subscription } = aBrowser('https://push.example.org/1')
  const whole = { endpoint: subscription.endpoint, keys: { p256dh: subscription.p256dh, auth: subscription.auth } }
  const outside = Buffer.from(subscription.p256dh, 'base64url')
  outside[40]! ^= 1
  const compressed = createECDH('prime256v1').generateKeys('base64url', 'compressed')

  it('is read as the browser gives it, and as it is stored', () => {
    assert.deepEqual(parseSubscription({ ...whole, expirationTime: null }), subscription)
    assert.deepEqual(subscriptionOf(subscriptionText(subscription)), subscription)
    assert.deepEqual([subscriptionOf(''), subscriptionOf('whsec_x'), subscriptionOf('{}')], [null, null, null])
  })

  for (const [what, given, pointer] of [
    ['nothing', undefined, ''],
    ['a list', [], ''],
    ['another member', { ...whole, extra: 1 }, ''],
    ['no endpoint', { keys: whole.keys }, '/endpoint'],
    ['a long endpoint', { ...whole, endpoint: `https://x.org/${'x'.repeat(1000)}` }, '/endpoint'],
    ['no keys', { endpoint: whole.endpoint }, '/keys'],
    [
      'a key beside the curve',
      { ...whole, keys: { ...whole.keys, p256dh: outside.toString('base64url') } },
      '/keys/p256dh',
    ],
    ['a compressed key', { ...whole, keys: { ...whole.keys, p256dh: compressed } }, '/keys/p256dh'],
    ['a short secret', { ...whole, keys: { ...whole.keys, auth: 'AAAA' } }, '/keys/auth'],
    ['a secret that is no text', { ...whole, keys: { ...whole.keys, auth: 7 } }, '/keys/auth'],
  ] as const)
    it(`is refused with ${what}`, () => {
      const parsed = parseSubscription(given)
      assert.equal('pointer' in parsed && parsed.pointer, pointer)
    })

  it('is shown without what would let others write to it', () => {
    const shown = shownEndpoint('https://push.example.org/a-secret?of=mine')
    assert.match(shown, /^https:\/\/push\.example\.org\/\*\*\*[0-9a-f]{16}$/)
  })
})

describe('the answer of a push service', () => {
  const answered = (status: number) =>
    ({ kind: 'answered', status, body: '', retryAfter: null, message: '', startedAt: 0, durationMs: 1 }) as const
  for (const [kind, status, outcome] of [
    ['webpush', 201, 'delivered'],
    ['webpush', 404, 'gone'],
    ['webpush', 410, 'gone'],
    ['webpush', 403, 'retry'],
    ['webpush', 500, 'retry'],
    ['slack', 404, 'retry'],
    ['webhook', 404, 'retry'],
  ] as const)
    it(`${status} of ${kind} means ${outcome}`, () => {
      assert.equal(verdictOn(readReply(kind, answered(status)), 1, NOW, () => 0.5).outcome, outcome)
    })
})

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
