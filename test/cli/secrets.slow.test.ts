import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { ChannelKind } from '../../src/domain/channel.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../store/empty-database.ts'
import { aWatch, MAX_WATCHES, watchId, withWatches } from '../store/watch-fixtures.ts'
import { runCommand } from '../support/commands.ts'

const [LOST, KNOWN] = [randomBytes(32), randomBytes(32)]
const HEADERS = [
  { name: 'X-Team', value: 'roads' },
  { name: 'Authorization', value: 'Bearer s3cret' },
]

/**
 * Watch 1 has headers and watch 2 none, 3 to 5 are of other channels; all encrypted with the lost
 * key.
 */
async function withLostKey(database: EmptyDatabase): Promise<void> {
  await using store = await openSealedStore(database.url, { secretKeys: [LOST] })
  await withWatches(store, 1, { headers: HEADERS })
  await store.watches.add(aWatch(2), MAX_WATCHES)
  const ofChannel = (number: number, channel: ChannelKind, url: string, secret: string) =>
    store.watches.add(aWatch(number, { channel, url, secrets: [{ secret, expiresAt: null }] }), MAX_WATCHES)
  await ofChannel(3, 'slack', 'https://hooks.slack.com/***01234567', 'https://hooks.slack.com/services/T/B/s3cret')
  await ofChannel(4, 'telegram', 'telegram:-1001', '-1001')
  await ofChannel(5, 'webpush', 'https://push.example.org/***0123456789abcdef', '{"endpoint":"s3cret"}')
  await store.push.keys({ publicKey: 'public', privateKey: 's3cret' })
}

async function secretIn(database: EmptyDatabase, number: number, ...secretKeys: Uint8Array[]) {
  await using store = await openSealedStore(database.url, { secretKeys })
  const watch = await store.watches.find('acc_1', watchId(number))
  return { secret: watch!.secrets[0]!.secret, headers: watch!.headers, status: watch!.status }
}

for (const [name, newDatabase] of [
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
] as const) {
  test(`secrets replace-lost names each watch with the headers that it lost, and no value, in ${name}`, async () => {
    await using database = await newDatabase()
    await withLostKey(database)
    const environment = { SECRETS_KEY: KNOWN.toString('base64'), DATABASE_URL: database.url }
    const first = await runCommand(['secrets', 'replace-lost'], environment)
    assert.equal(first.code, 0, first.output)
    const lines = first.output.trim().split('\n')
    assert.deepEqual(lines.slice(0, 4), [
      `${watchId(1)} X-Team Authorization`,
      watchId(2),
      `${watchId(3)} (slack)`,
      `${watchId(5)} (webpush)`,
    ])
    assert.deepEqual(lines.slice(4), [
      '2 watches have a new secret. Their owners get one that they can see from POST /v1/watches/{id}/rotate-secret.',
      '2 watches have lost the addresses that their messages go to, and are switched off; their channels are named after them. Their owners give the addresses again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.',
      '1 watch has lost headers, which are named after it. Its owner sets them again with PATCH /v1/watches/{id} {"headers": …}.',
    ])
    assert.doesNotMatch(first.output, /s3cret|roads|whsec_/)
    for (const number of [1, 2]) {
      const { secret, headers } = await secretIn(database, number, KNOWN)
      assert.match(secret, /^whsec_/)
      assert.notEqual(secret, `whsec_${number}`)
      assert.deepEqual(headers, [])
    }
    for (const [number, secret, status] of [
      [3, '', 'disabled'],
      [4, '-1001', 'active'],
      [5, '', 'disabled'],
    ] as const) {
      const found = await secretIn(database, number, KNOWN)
      assert.deepEqual([found.secret, found.status], [secret, status])
    }
    {
      await using store = await openSealedStore(database.url, { secretKeys: [KNOWN] })
      assert.equal(await store.push.storedKeys(), null, 'others are made at the next start')
    }
    const again = await runCommand(['secrets', 'replace-lost'], environment)
    assert.deepEqual([again.code, again.output], [0, 'No watch has lost its secret or a header.\n'])
  })
}

test('secrets says what its action is', async () => {
  for (const words of [['secrets'], ['secrets', 'replace']]) {
    const { code, output } = await runCommand(words)
    assert.equal(code, 1, output)
    assert.match(output, /the action of secrets is replace-lost/)
  }
})
