import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countNotice, type Mailer, MailUnavailable, smtpMailer } from '../../src/accounts/mail.ts'
import { disableFailingWatches } from '../../src/deliveries/pipeline.ts'
import type { FailingWatch, Store } from '../../src/store/store.ts'
import { watchId } from '../store/watch-fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'
import { startMailServer } from '../support/mail.ts'
import { withWatchesAt } from './fixtures.ts'

const NOW = Date.UTC(2026, 0, 10)
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
  const failures = days.map((day) => NOW - day * DAY)
  const failing: FailingWatch = {
    watchId: watchId(1),
    accountId: ACCOUNT,
    url: URL_OF_WATCH,
    history: { failingSince: failures[0]!, failures },
    gone: false,
    warnings: 0,
    ...changes,
  }
  const options = { clock: () => NOW, mailer, onError: (error: unknown) => errors.push(error) }
  await disableFailingWatches([failing], store, options)
  return { errors, watch: (await store.watches.find(ACCOUNT, watchId(1)))! }
}

const FIVE_DAYS = [5, 4, 3, 2, 1, 0]

async function storeWithWatch({ verified = true } = {}): Promise<Store> {
  const store = await openMemoryStore()
  await withWatchesAt(store, 1, URL_OF_WATCH, { name: 'Roads in Kaduna' })
  if (verified) await store.accounts.verifyEmail(ACCOUNT, NOW)
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
  await store.watches.change(ACCOUNT, watchId(1), { url: 'https://receiver.org/mended' }, NOW)
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
    await store.watches.change(ACCOUNT, watchId(1), { status: 'active' }, NOW)
  }
  await until(() => server.mails.length >= 10, 'ten mails')
  const account = (await store.accounts.find(ACCOUNT))!
  assert.equal(await countNotice(store.mails, account.email!, 10, NOW), false)
  assert.equal(server.mails.length, 10)
})
