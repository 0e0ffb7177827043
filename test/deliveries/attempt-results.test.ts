import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countNotice, type Mailer, MailUnavailable, smtpMailer } from '../../src/accounts/mail.ts'
import { AttemptRecorder } from '../../src/deliveries/attempts.ts'
import { disableFailingWatches } from '../../src/deliveries/pipeline.ts'
import { machine } from '../../src/lib/runtime.ts'
import {
  type AttemptResult,
  type Deliveries,
  type FailingWatch,
  type Store,
  StoreUnavailable,
} from '../../src/store/store.ts'
import {
  anOwner,
  appendTo,
  deliveryId,
  LEASE,
  listedDeliveries,
  NONE_FULL,
  NOW,
  newDelivery,
  refused,
  result,
  watchId,
  withWatches,
} from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { startMailServer } from '../support/mail.ts'
import { withWatchesAt } from './fixtures.ts'

/** Opens a store with `count` deliveries that are leased to `node`. */
async function storeWith(count: number): Promise<Store> {
  const store = await openMemoryStore()
  await withWatches(store, 1)
  await appendTo(store, count)
  const all = Array.from({ length: count }, (_, index) => newDelivery(1, index + 1))
  await store.deliveries.add(all, NOW)
  await store.deliveries.lease('node', NOW, NOW + LEASE, count, NONE_FULL)
  return store
}

type RecordAttempts = Deliveries['recordAttempts']

function recorderFor(record: RecordAttempts) {
  const recorded: string[] = []
  const failing: string[] = []
  const errors: unknown[] = []
  const recorder = new AttemptRecorder(
    { recordAttempts: record },
    {
      owner: 'node',
      clock: () => NOW,
      runtime: machine,
      async onRecorded(results, watches) {
        recorded.push(...results.map((each) => each.deliveryId))
        failing.push(...watches.map((each) => each.watchId))
      },
      onError: (error) => errors.push(error),
    },
  )
  return { recorder, recorded, failing, errors }
}

const delivered = async (store: Store) =>
  (await listedDeliveries(store, 'acc_1', watchId(1), 'delivered', 1000, null)).length

test('results that arrive together are all written in one call', async () => {
  await using store = await storeWith(5)
  let calls = 0
  const { recorder, recorded } = recorderFor((...values) => {
    calls++
    return store.deliveries.recordAttempts(...values)
  })
  for (let event = 1; event <= 5; event++) recorder.addResult(result(deliveryId(1, event)))
  assert.equal(recorder.pending, 5)
  await recorder[Symbol.asyncDispose]()
  assert.deepEqual([calls, recorder.pending, recorded.length, await delivered(store)], [1, 0, 5, 5])
})

test('failing watches are reported', async () => {
  await using store = await storeWith(1)
  const { recorder, failing } = recorderFor(store.deliveries.recordAttempts)
  recorder.addResult(refused(deliveryId(1, 1)))
  await recorder[Symbol.asyncDispose]()
  assert.deepEqual(failing, [watchId(1)])
})

test('results are retained during a database outage and written afterwards', async () => {
  await using store = await storeWith(3)
  let away = true
  const { recorder, errors } = recorderFor(async (...values) => {
    if (away) throw new StoreUnavailable('away')
    return store.deliveries.recordAttempts(...values)
  })
  recorder.addResult(result(deliveryId(1, 1)))
  await until(() => errors.length > 0)
  recorder.addResult(result(deliveryId(1, 2)))
  recorder.addResult(result(deliveryId(1, 3)))
  assert.equal(recorder.pending, 3)
  away = false
  await until(() => recorder.pending === 0)
  assert.equal(await delivered(store), 3)
})

test('stopping gives up on a database that stays unavailable', async () => {
  const { recorder, errors } = recorderFor(() => Promise.reject(new StoreUnavailable('away')))
  recorder.addResult(result('msg_1'))
  await recorder[Symbol.asyncDispose]()
  assert.ok(errors.length > 1)
  recorder.addResult(result('msg_2'))
  assert.equal(recorder.pending, 1, 'later results are not accepted')
})

test('an invalid result is skipped, and the others are written', async () => {
  await using store = await storeWith(4)
  const wrong = (results: readonly AttemptResult[]) => results.some(({ deliveryId: id }) => id === deliveryId(1, 3))
  const { recorder, errors } = recorderFor(async (owner, results, now) => {
    if (wrong(results)) throw new TypeError('no')
    return store.deliveries.recordAttempts(owner, results, now)
  })
  for (let event = 1; event <= 4; event++) recorder.addResult(result(deliveryId(1, event)))
  await until(() => recorder.pending === 0)
  assert.equal(await delivered(store), 3)
  assert.ok(errors.length > 0)
})

const TENTH = Date.UTC(2026, 0, 10)
const DAY = 86_400_000
const ACCOUNT = 'acc_1'

async function startMailer() {
  const server = await startMailServer()
  return { ...server, mailer: smtpMailer(server.url, 'Feed <feed@example.org>') }
}

const URL_OF_WATCH = 'https://receiver.org/hook'

/** Reports watch 1 as failing and returns it with the errors that were reported. */
async function report(
  store: Store,
  mailer: Mailer | null,
  days: readonly number[],
  changes: Partial<FailingWatch> = {},
) {
  const errors: unknown[] = []
  const failures = days.map((day) => TENTH - day * DAY)
  const failing: FailingWatch = {
    watchId: watchId(1),
    accountId: ACCOUNT,
    url: URL_OF_WATCH,
    history: { failingSince: failures[0]!, failures },
    gone: false,
    warnings: 0,
    ...changes,
  }
  const options = { clock: () => TENTH, mailer, onError: (error: unknown) => errors.push(error) }
  await disableFailingWatches([failing], store, options)
  return { errors, watch: (await store.watches.find(ACCOUNT, watchId(1)))! }
}

const FIVE_DAYS = [5, 4, 3, 2, 1, 0]

async function storeWithWatch({ verified = true } = {}): Promise<Store> {
  const store = await openMemoryStore()
  // Opened first, the account stays as it is.
  if (verified) await store.accounts.ensure(anOwner(1))
  await withWatchesAt(store, 1, URL_OF_WATCH, { name: 'Roads in Kaduna' })
  return store
}

test('a watch that has failed for five days is disabled, and its owner is mailed how to resume it', async () => {
  await using server = await startMailer()
  await using store = await storeWithWatch()
  const { watch, errors } = await report(store, server.mailer, FIVE_DAYS)
  assert.deepEqual([watch.status, watch.disabledReason], ['disabled', 'Every attempt failed for five days.'])
  await until(() => server.mails.length === 1, 'the mail')
  const [mail] = server.mails
  assert.match(mail!, /^From: Feed <feed@example\.org>\r$/m)
  assert.match(mail!, new RegExp(`^To: ${(await store.accounts.find(ACCOUNT))!.email}\r$`, 'm'))
  assert.match(mail!, /switched off/)
  assert.ok(mail!.includes(watchId(1)))
  assert.doesNotMatch(mail!, /Roads in Kaduna|receiver\.org/, 'words of the user are in the mail')
  assert.deepEqual(errors, [])
})

test('an endpoint that is gone disables its watch at once', async () => {
  await using server = await startMailer()
  await using store = await storeWithWatch()
  const { watch } = await report(store, server.mailer, [0], { gone: true })
  assert.deepEqual(
    [watch.status, watch.disabledReason],
    ['disabled', 'The endpoint answered that it is gone for good (410; from a push service also 404).'],
  )
  await until(() => server.mails.length === 1, 'the mail')
})

test('a 410 of a URL that was changed since disables nothing', async () => {
  await using server = await startMailer()
  await using store = await storeWithWatch()
  await store.watches.change(ACCOUNT, watchId(1), { url: 'https://receiver.org/mended' }, TENTH)
  const { watch } = await report(store, server.mailer, [0], { gone: true })
  assert.deepEqual([watch.status, watch.disabledReason, server.mails], ['active', null, []])
})

test('a watch that has failed for less than five days stays active, and its owner is warned once', async () => {
  await using server = await startMailer()
  await using store = await storeWithWatch()
  const { watch } = await report(store, server.mailer, [3, 2, 1, 0])
  assert.equal(watch.status, 'active')
  await until(() => server.mails.length === 1, 'the warning')
  assert.match(server.mails[0]!, /failing/)
  await report(store, server.mailer, [3, 2, 1, 0])
  await report(store, server.mailer, [0])
  assert.equal(await store.watches.countWarning(watchId(1), 1), false)
  assert.equal(server.mails.length, 1)
})

test('a watch is disabled even without a mail server', async () => {
  await using store = await storeWithWatch()
  const { watch, errors } = await report(store, null, FIVE_DAYS)
  assert.equal(watch.status, 'disabled')
  assert.deepEqual(errors, [])
})

test('an unavailable mail server is reported, and the watch is still disabled', async () => {
  await using store = await storeWithWatch()
  const { watch, errors } = await report(store, smtpMailer('smtp://127.0.0.1:1', 'feed@example.org'), FIVE_DAYS)
  assert.equal(watch.status, 'disabled')
  await until(() => errors.length === 1, 'the error')
  assert.ok(errors[0] instanceof MailUnavailable)
})

test('an address that nobody has proved gets no mail, and a proved one at most ten a day', async () => {
  await using server = await startMailer()
  {
    await using store = await storeWithWatch({ verified: false })
    const { watch } = await report(store, server.mailer, FIVE_DAYS)
    assert.equal(watch.status, 'disabled')
  }
  await using store = await storeWithWatch()
  for (let round = 1; round <= 15; round++) {
    await report(store, server.mailer, FIVE_DAYS)
    await store.watches.change(ACCOUNT, watchId(1), { status: 'active' }, TENTH)
  }
  await until(() => server.mails.length >= 10, 'ten mails')
  const account = (await store.accounts.find(ACCOUNT))!
  assert.equal(await countNotice(store.mails, account.email!, 10, TENTH), false)
  assert.equal(server.mails.length, 10)
})
