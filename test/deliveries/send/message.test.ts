import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { messageBody } from '../../../src/deliveries/send/message.ts'
import { newSecret, signatureHeaders } from '../../../src/deliveries/send/signature.ts'
import { EVENT_KINDS } from '../../../src/domain/incident.ts'
import { incidentFrom, incidentParts } from '../../support/arbitrary.ts'
import fc from '../../support/fast-check.ts'

const anyText = fc.string({ unit: 'binary' })
const notice = fc.record({
  event: fc.constantFrom(...EVENT_KINDS),
  watch: anyText,
  watchId: fc.stringMatching(/^wat_[0-9a-z]{26}$/),
  id: fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  sequence: fc.integer({ min: 1 }),
  seq: fc.integer({ min: 1 }),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
  redacted: fc.constantFrom(true, undefined),
})

test('the body is the object that the reference describes, with any watch name and summary', () => {
  fc.assert(
    fc.property(notice, incidentParts, anyText, (notice, parts, summary) => {
      const incident = { ...incidentFrom(parts, 1), summary }
      const { event, watch, watchId, id, sequence, seq, createdAt, redacted } = notice
      const createdAtText = `${new Date(createdAt).toISOString().slice(0, 19)}Z`
      const whole = {
        event,
        watch,
        incident,
        id,
        watch_id: watchId,
        sequence,
        seq,
        created_at: createdAtText,
        redacted,
      }
      assert.equal(messageBody(notice, JSON.stringify(incident)), JSON.stringify(whole))
    }),
    { numRuns: 1000 },
  )
})

const id = fc.stringMatching(/^msg_[0-9a-z]{26}$/)
const body = fc.json().map((text) => `{"incident":${text}}`)
const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
/** The reference library accepts timestamps within five minutes of the real clock. */
const sentAt = fc.integer({ min: -200_000, max: 200_000 }).map((offset) => Date.now() + offset)

test('a message is signed byte for byte as the reference library signs it', () => {
  fc.assert(
    fc.property(id, body, secret, sentAt, (id, body, secret, sentAt) => {
      const headers = signatureHeaders({ id, sentAt, body }, [secret])
      assert.equal(headers['webhook-signature'], new Webhook(secret).sign(id, new Date(sentAt), body))
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    }),
    { numRuns: 300 },
  )
})

test('during a rotation the old and the new secret both verify, and no other does', () => {
  fc.assert(
    fc.property(
      id,
      body,
      fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }),
      sentAt,
      (id, body, secrets, sentAt) => {
        const [old, next, other] = secrets as [string, string, string]
        const headers = signatureHeaders({ id, sentAt, body }, [next, old])
        for (const secret of [old, next]) assert.doesNotThrow(() => new Webhook(secret).verify(body, headers))
        assert.throws(() => new Webhook(other).verify(body, headers), /No matching signature/)
        assert.throws(() => new Webhook(old).verify(`${body} `, headers), /No matching signature/)
      },
    ),
    { numRuns: 200 },
  )
})

test('a new secret is accepted by the reference library, and is never the same twice', () => {
  const [one, other] = [newSecret(randomBytes), newSecret(randomBytes)]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(one, other)
  const message = { id: 'msg_1', sentAt: Date.now(), body: '{}' }
  assert.doesNotThrow(() => new Webhook(one).verify('{}', signatureHeaders(message, [one])))
})

const WRONG: [string, readonly string[]][] = [
  ['no secret', []],
  ['a secret without its prefix', [Buffer.alloc(32).toString('base64')]],
  ['a secret that is too short', [`whsec_${Buffer.alloc(23).toString('base64')}`]],
  ['a secret that is too long', [`whsec_${Buffer.alloc(65).toString('base64')}`]],
  ['a secret that was cut off', [newSecret(randomBytes).slice(0, -2)]],
  ['a secret with a blank in it', [newSecret(randomBytes).replace(/(?<=^.{20})./, ' ')]],
]

for (const [what, secrets] of WRONG) {
  test(`${what} is refused`, () => {
    assert.throws(() => signatureHeaders({ id: 'msg_1', sentAt: 0, body: '{}' }, secrets), TypeError)
  })
}
