import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { WatchSecret } from '../../src/domain/watch.ts'
import type { WatchHeader } from '../../src/domain/watch-headers.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { sealedStore } from '../../src/store/secrets/sealed-store.ts'
import { Sealer, SecretUnreadable } from '../../src/store/secrets/sealer.ts'
import { encryptStored, replaceLostSecrets } from '../../src/store/secrets/stored-secrets.ts'
import { type Store, StoreUnusable } from '../../src/store/store.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from './databases.ts'
import { appendTo, aWatch, claimAs, LEASE, MAX_WATCHES, NOW, newDelivery, watchId, withWatches } from './fixtures.ts'

const NO_QUEUES = { accountIds: [], watchIds: [] }
const HEADERS = [
  { name: 'X-Team', value: 'whsec_like' },
  { name: 'Authorization', value: 'whsec_too' },
]
const [KEY, NEW_KEY] = [randomBytes(32), randomBytes(32)]

/** The secrets as they lie in the database. */
async function storedTexts(database: EmptyDatabase): Promise<string[]> {
  await using store = await database.open()
  return (await store.watches.storedSecrets('', 100)).map(({ text, headersText }) => text + headersText)
}

async function secretsIn(store: Store, number = 1): Promise<string[]> {
  const watch = await store.watches.find('acc_1', watchId(number))
  return watch!.secrets.map(({ secret }) => secret)
}

/** Its last header is encrypted with the old key, the rest with the new one. */
async function withWatchOfTwoKeys(database: EmptyDatabase): Promise<void> {
  await using store = await database.open()
  const old = sealedStore(store, new Sealer([KEY]))
  await withWatches(old, 1, { headers: HEADERS })
  const [first] = await store.watches.storedSecrets('', 1)
  const oldHeaders = JSON.parse(first!.headersText!) as WatchHeader[]
  await encryptStored(store.watches, new Sealer([NEW_KEY, KEY]))
  const [second] = await store.watches.storedSecrets('', 1)
  const [newHeader] = JSON.parse(second!.headersText!) as WatchHeader[]
  const secrets = JSON.parse(second!.text) as WatchSecret[]
  await store.watches.replaceSecrets([{ ...second!, secrets, headers: [newHeader!, oldHeaders[1]!] }])
}

async function headersIn(store: Store, number = 1) {
  return (await store.watches.find('acc_1', watchId(number)))!.headers
}

for (const [name, newDatabase] of [
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
] as const) {
  describe(`secrets in ${name}`, () => {
    const open = (database: EmptyDatabase, ...secretKeys: Uint8Array[]) => openSealedStore(database.url, { secretKeys })

    it('are stored encrypted and read as they were, by every method that returns them', async () => {
      await using database = await newDatabase()
      {
        await using store = await open(database, KEY)
        await withWatches(store, 2, { headers: HEADERS })
        await appendTo(store, 2)
        const rotation = { secret: 'whsec_next', previousExpiresAt: NOW + 9 }
        const changed = await store.watches.change('acc_1', watchId(1), { rotation }, NOW)
        const expected = [
          { secret: 'whsec_next', expiresAt: null },
          { secret: 'whsec_1', expiresAt: NOW + 9 },
        ]
        assert.deepEqual(changed !== null && typeof changed === 'object' && changed.secrets, expected)
        assert.deepEqual((await store.watches.find('acc_1', watchId(1)))?.secrets, expected)
        const listed = await store.watches.list('acc_1', 9, null)
        assert.deepEqual(listed[1]?.secrets, expected)
        await store.deliveries.add([newDelivery(1, 1)], NOW)
        await store.fanOut.lease('node', NOW, NOW + LEASE)
        const position = { seq: 0, afterWatchId: null }
        const chunk = { from: position, to: { seq: 2, afterWatchId: null }, deliveries: [newDelivery(1, 2)] }
        const written = await store.fanOut.write('node', chunk, NOW, NOW + LEASE)
        assert.deepEqual(written?.[0]?.endpoint.secrets, expected)
        assert.deepEqual(written?.[0]?.endpoint.headers, HEADERS)
        const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NO_QUEUES)
        assert.deepEqual(dispatches[0]?.endpoint.secrets, expected)
        assert.deepEqual(dispatches[0]?.endpoint.headers, HEADERS)
        assert.deepEqual(listed[1]?.headers, HEADERS)
        const headers = [
          { name: 'x-team', value: null },
          { name: 'X-New', value: 'whsec_new' },
        ]
        const after = await store.watches.change('acc_1', watchId(1), { headers }, NOW)
        const kept = [{ name: 'x-team', value: 'whsec_like' }, headers[1]]
        assert.deepEqual(after !== null && typeof after === 'object' && after.headers, kept)
        assert.deepEqual(await headersIn(store), kept)
      }
      for (const text of await storedTexts(database)) assert.doesNotMatch(text, /whsec/)
    })

    it('are encrypted in a write with a receipt too', async () => {
      await using database = await newDatabase()
      {
        await using store = await open(database, KEY)
        await withWatches(store, 1)
        await claimAs(store.idempotency, 'a', NOW)
        const receipt = { id: 'a', token: 'token', answer: new Uint8Array([1]) }
        const receiptStore = store.withReceipt(receipt)
        const added = await receiptStore.watches.add(aWatch(2), MAX_WATCHES)
        assert.deepEqual(typeof added === 'object' && added.secrets, aWatch(2).secrets)
        assert.equal(receiptStore.receiptStored, true)
        assert.deepEqual(await secretsIn(store, 2), ['whsec_2'])
      }
      for (const text of await storedTexts(database)) assert.doesNotMatch(text, /whsec/)
    })

    it('that were stored in plain text are encrypted when the service starts', async () => {
      await using database = await newDatabase()
      {
        await using store = await database.open()
        await withWatches(store, 3, { headers: HEADERS })
      }
      {
        await using store = await open(database, KEY)
        assert.deepEqual(await secretsIn(store, 3), ['whsec_3'])
        assert.deepEqual(await headersIn(store, 3), HEADERS)
      }
      const texts = await storedTexts(database)
      assert.equal(texts.length, 3)
      for (const text of texts) assert.doesNotMatch(text, /whsec/)
    })

    it('are encrypted anew after the key was changed, and need the old one until then', async () => {
      await using database = await newDatabase()
      {
        await using store = await open(database, KEY)
        await withWatches(store, 1, { headers: HEADERS })
      }
      const before = await storedTexts(database)
      await assert.rejects(open(database, NEW_KEY), (error: Error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, /encrypted with a key that was not given \([0-9a-f]{12}\).*SECRETS_KEY/)
        return true
      })
      assert.deepEqual(await storedTexts(database), before, 'a wrong key changes nothing')
      {
        await using store = await open(database, NEW_KEY, KEY)
        assert.deepEqual(await secretsIn(store), ['whsec_1'])
      }
      await using store = await open(database, NEW_KEY)
      assert.deepEqual(await secretsIn(store), ['whsec_1'])
      assert.deepEqual(await headersIn(store), HEADERS)
    })

    it('of which only a header has the old key are encrypted anew too', async () => {
      await using database = await newDatabase()
      await withWatchOfTwoKeys(database)
      await assert.rejects(open(database, NEW_KEY), StoreUnusable)
      {
        await using store = await open(database, NEW_KEY, KEY)
        assert.deepEqual(await headersIn(store), HEADERS)
      }
      await using store = await open(database, NEW_KEY)
      assert.deepEqual(await headersIn(store), HEADERS)
    })

    it('that are lost are replaced, headers removed by name, and nothing else', async () => {
      await using database = await newDatabase()
      await withWatchOfTwoKeys(database)
      const lost = [
        {
          watchId: watchId(1),
          channel: 'webhook',
          hasNewSecret: false,
          lostAddress: false,
          headers: ['Authorization'],
        },
      ]
      assert.deepEqual(await replaceLostSecrets(database.url, [NEW_KEY], () => 'whsec_new', NOW), lost)
      await using store = await open(database, NEW_KEY)
      assert.deepEqual(await secretsIn(store), ['whsec_1'])
      assert.deepEqual(await headersIn(store), HEADERS.slice(0, 1))
    })

    it('include the key that signs notifications, as long as a browser has subscribed with it', async () => {
      await using database = await newDatabase()
      const keys = { publicKey: 'public', privateKey: 'whsec_private' }
      const stored = async () => {
        await using store = await database.open()
        return (await store.push.storedKeys())!.privateKey
      }
      {
        await using store = await open(database, KEY)
        assert.deepEqual(await store.push.keys(keys), keys)
        await withWatches(store, 1, { channel: 'webpush' })
      }
      const first = await stored()
      assert.doesNotMatch(first, /whsec/)
      await assert.rejects(open(database, NEW_KEY), StoreUnusable)
      {
        await using store = await open(database, NEW_KEY, KEY)
        assert.deepEqual(await store.push.keys({ publicKey: 'other', privateKey: 'other' }), keys)
      }
      assert.notEqual(await stored(), first, 'encrypted anew')
      {
        await using store = await open(database, NEW_KEY)
        assert.deepEqual(await store.push.keys({ publicKey: 'other', privateKey: 'other' }), keys)
        await store.watches.remove('acc_1', watchId(1))
      }
      await using store = await open(database, KEY)
      const others = { publicKey: 'other', privateKey: 'other' }
      assert.deepEqual(await store.push.keys(others), others, 'nobody needs the old ones')
    })

    it('of headers cannot be read as those of another name or watch', async () => {
      await using database = await newDatabase()
      {
        await using store = await open(database, KEY)
        await withWatches(store, 3, { headers: HEADERS })
      }
      {
        await using store = await database.open()
        const [one, two, three] = await store.watches.storedSecrets('', 3)
        const headers = JSON.parse(one!.headersText!) as WatchHeader[]
        const [first, second] = JSON.parse(three!.headersText!) as WatchHeader[]
        const swapped = [{ ...first!, value: second!.value }]
        await store.watches.replaceSecrets([
          { ...two!, secrets: JSON.parse(two!.text) as WatchSecret[], headers },
          { ...three!, secrets: JSON.parse(three!.text) as WatchSecret[], headers: swapped },
        ])
      }
      await using store = await open(database, KEY)
      assert.deepEqual(await headersIn(store, 1), HEADERS)
      await assert.rejects(headersIn(store, 2), SecretUnreadable)
      await assert.rejects(headersIn(store, 3), SecretUnreadable)
    })
  })
}

describe('the key in a file', () => {
  it('is created for its owner only, beside the database, and read at the next start', async () => {
    await using database = await emptySqlite()
    const file = `${database.path}.secrets-key`
    {
      await using store = await openSealedStore(database.url, { secretKeys: null })
      await withWatches(store, 1)
    }
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32)
    for (const text of await storedTexts(database)) assert.doesNotMatch(text, /whsec/)
    await using store = await openSealedStore(database.url, { secretKeys: null })
    assert.deepEqual(await secretsIn(store), ['whsec_1'])
  })

  it('is not replaced when it is missing, and is not needed once SECRETS_KEY is set', async () => {
    await using database = await emptySqlite()
    const file = `${database.path}.secrets-key`
    {
      await using store = await openSealedStore(database.url, { secretKeys: null })
      await withWatches(store, 1)
    }
    const kept = readFileSync(file)
    rmSync(file)
    await assert.rejects(openSealedStore(database.url, { secretKeys: null }), /put back the file .*\.secrets-key/)
    assert.equal(statSync(file, { throwIfNoEntry: false }), undefined)
    await import('node:fs/promises').then(({ writeFile }) => writeFile(file, kept, { mode: 0o644 }))
    const warnings: string[] = []
    const onWarning = (message: string) => warnings.push(message)
    await (await openSealedStore(database.url, { secretKeys: [KEY], onWarning }))[Symbol.asyncDispose]()
    assert.match(warnings.join(), /secrets-key could be read by other users \(mode 0644\)/)
    rmSync(file)
    await using store = await openSealedStore(database.url, { secretKeys: [KEY] })
    assert.deepEqual(await secretsIn(store), ['whsec_1'])
  })

  it('can be given up: the watches get new secrets, and the service starts', async () => {
    await using database = await emptySqlite()
    const file = `${database.path}.secrets-key`
    {
      await using store = await openSealedStore(database.url, { secretKeys: null })
      await withWatches(store, 2, { headers: HEADERS })
    }
    assert.deepEqual(await replaceLostSecrets(database.url, null, () => 'whsec_new', NOW), [], 'nothing is lost')
    rmSync(file)
    const lost = [1, 2].map((number) => ({
      watchId: watchId(number),
      channel: 'webhook' as const,
      hasNewSecret: true,
      lostAddress: false,
      headers: ['X-Team', 'Authorization'],
    }))
    assert.deepEqual(await replaceLostSecrets(database.url, null, () => 'whsec_new', NOW), lost)
    await using store = await openSealedStore(database.url, { secretKeys: null })
    assert.deepEqual(await secretsIn(store, 2), ['whsec_new'])
    assert.deepEqual(await headersIn(store, 2), [])
    for (const text of await storedTexts(database)) assert.doesNotMatch(text, /whsec/)
  })

  it('is needed in SECRETS_KEY with PostgreSQL, where nodes share it', async () => {
    await assert.rejects(openSealedStore('postgres://localhost/x', { secretKeys: null }), /SECRETS_KEY is missing/)
  })
})

it('plain secrets leave the write-ahead log at once', async () => {
  await using database = await emptySqlite()
  {
    await using store = await database.open()
    await withWatches(store, 50, { secrets: [{ secret: 'whsec_PLAINTEXT', expiresAt: null }] })
  }
  assert.ok(readFileSync(database.path).includes('whsec_PLAINTEXT'))
  await using _store = await openSealedStore(database.url, { secretKeys: [KEY] })
  assert.ok(!readFileSync(`${database.path}-wal`).includes('whsec_PLAINTEXT'))
})

it('a secret can be read for its own watch only, and not if it was changed', () => {
  const sealer = new Sealer([KEY])
  const sealed = sealer.seal('whsec_1', 'wat_1')
  assert.equal(sealer.open(sealed, 'wat_1'), 'whsec_1')
  assert.throws(() => sealer.open(sealed, 'wat_2'), SecretUnreadable)
  assert.throws(() => sealer.open(`${sealed.slice(0, -4)}AAAA`, 'wat_1'), SecretUnreadable)
  assert.throws(() => new Sealer([NEW_KEY]).open(sealed, 'wat_1'), SecretUnreadable)
  assert.notEqual(sealer.seal('whsec_1', 'wat_1'), sealed)
})
