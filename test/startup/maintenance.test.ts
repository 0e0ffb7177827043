import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { machine } from '../../src/lib/runtime.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSession, aWatch, MAX_WATCHES, reported, watchId } from '../store/fixtures.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Kept {
  readonly forMs: number
  /** Makes the thing whose time begins at `at`. */
  make(store: Store, number: number, at: number): Promise<unknown>
  isThere(store: Store, number: number): Promise<boolean>
}

const ATTEMPT = {
  duration: 1,
  outcome: 'delivered',
  statusCode: 200,
  contentSeq: null,
  answer: null,
  error: null,
} as const

const KEPT: Readonly<Record<string, Kept>> = {
  'a revoked key': {
    forMs: 90 * DAY_MS,
    make: (store, number, at) => store.keys.add(aKey(number, { revokedAt: at }), { valid: 100, perDay: 100 }),
    isThere: async (store, number) => (await store.keys.find(`key_${number}`)) !== null,
  },
  'a finished delivery': {
    forMs: 30 * DAY_MS,
    make: (store, number, at) => {
      const shown = { eventSeq: 0, kind: 'incident.created', incidentId: 'inc_1' } as const
      const test = { id: `msg_${number}`, watchId: watchId(1), ...shown, attempt: { ...ATTEMPT, at } }
      return store.deliveries.addTest(test, at)
    },
    isThere: async (store, number) => (await store.deliveries.find('acc_1', `msg_${number}`)) !== null,
  },
  'an ended session': {
    forMs: HOUR_MS,
    make: async (store, number, at) => {
      await store.sessions.open(aSession(number, { createdAt: at, seenAt: at, expiresAt: at + 365 * DAY_MS }), 100)
      await store.sessions.end('acc_1', `ses_${number}`, at)
    },
    isThere: async (store, number) => (await store.sessions.findByHash(`session-hash-${number}`)) !== null,
  },
  'the answer to an Idempotency-Key': {
    forMs: DAY_MS,
    make: async ({ idempotency }, number, at) => {
      await claim({ idempotency }, number, at)
      await idempotency.finish({ id: `request ${number}`, token: 'token' }, new Uint8Array(1))
    },
    isThere: async (store, number) => (await claim(store, number, Date.now())).state === 'finished',
  },
  'an entry of the audit': {
    forMs: 1095 * DAY_MS,
    make: ({ withAudit }, number, at) => {
      const by = { accountId: 'acc_1', keyId: null, name: 'Ada' }
      const entry = {
        at,
        by,
        action: 'session.end_all',
        subject: `acc_${number}`,
        note: null,
        before: null,
        after: null,
      }
      return withAudit(entry).sessions.endAll(`acc_${number}`, at, null)
    },
    isThere: async ({ audit }, number) => {
      const entries = await audit.list({ accountId: 'acc_1', incidentId: null, from: null, to: null }, null, 99)
      return entries.some(({ subject }) => subject === `acc_${number}`)
    },
  },
  'the contact of a tip': {
    forMs: 7 * DAY_MS,
    make: (store, number, at) =>
      store.tips.add(
        {
          referenceHash: `reference ${number}`,
          incidentId: reported(number).incident.id,
          receivedAt: at,
          contact: 'Amina',
        },
        reported(number),
        { challengeHash: `challenge ${number}`, fingerprint: 'content' },
      ),
    isThere: async (store, number) => (await store.tips.findByReference(`reference ${number}`)) !== null,
  },
}

function claim({ idempotency }: Pick<Store, 'idempotency'>, number: number, now: number) {
  const request = { id: `request ${number}`, subject: 'acc_1', fingerprint: 'same', rights: 'read', token: 'token' }
  return idempotency.claim(request, { now, expiredBefore: 0, lostBefore: 0, lostAfter: Number.MAX_SAFE_INTEGER })
}

/** A service with its repeating tasks, which run when the test says so. */
async function startWithTasks(clock: () => number) {
  const tasks: (() => void)[] = []
  const setInterval: typeof machine.setInterval = (call, ms) => {
    if (ms >= MINUTE_MS) tasks.push(call)
    return machine.setInterval(call, ms)
  }
  const app = await startTestApp({ TIP_CONTACT_DAYS: '7' }, { clock, runtime: { ...machine, setInterval } })
  await app.store.accounts.open(anAccount(1), aKey(1))
  await app.store.watches.add(aWatch(1), MAX_WATCHES)
  return {
    app,
    async runTasks() {
      for (const task of tasks) task()
      // The store serves one after the other; no task asks it so often.
      for (let asked = 0; asked < 30; asked++) await app.store.events.head()
    },
  }
}

describe('what is kept for some time', () => {
  const now = Date.now()
  let app: TestApp

  before(async () => {
    const { runTasks, ...started } = await startWithTasks(() => now)
    app = started.app
    for (const { forMs, make } of Object.values(KEPT)) {
      await make(app.store, 11, now - forMs + MINUTE_MS)
      await make(app.store, 12, now - forMs - MINUTE_MS)
    }
    await runTasks()
  })
  after(() => app[Symbol.asyncDispose]())

  for (const [what, { isThere }] of Object.entries(KEPT))
    it(`${what}: to the minute`, async () => {
      assert.deepEqual([await isThere(app.store, 11), await isThere(app.store, 12)], [true, false])
    })
})

describe('a clock that says 2040', () => {
  const now = Date.now()
  let ahead = 0
  let app: TestApp

  before(async () => {
    const { runTasks, ...started } = await startWithTasks(() => now + ahead)
    app = started.app
    for (const { make } of Object.values(KEPT)) await make(app.store, 11, now - MINUTE_MS)
    ahead = 14 * 365 * DAY_MS
    await runTasks()
    ahead = 0
  })
  after(() => app[Symbol.asyncDispose]())

  for (const [what, { isThere }] of Object.entries(KEPT))
    it(`leaves ${what}`, async () => assert.equal(await isThere(app.store, 11), true))
})
