import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../store/empty-database.ts'
import { aWatch, MAX_WATCHES, watchId, withWatches } from '../store/watch-fixtures.ts'
import { runCommand } from '../support/command.ts'

const [LOST, KNOWN] = [randomBytes(32), randomBytes(32)]
const HEADERS = [
  { name: 'X-Team', value: 'roads' },
  { name: 'Authorization', value: 'Bearer s3cret' },
]

/** Watch 1 has headers and watch 2 none, both encrypted with the lost key. */
async function withLostKey(database: EmptyDatabase): Promise<void> {
  await using store = await openSealedStore(database.url, { secretKeys: [LOST] })
  await withWatches(store, 1, { headers: HEADERS })
  await store.watches.add(aWatch(2), MAX_WATCHES)
}

async function secretIn(database: EmptyDatabase, number: number, ...secretKeys: Uint8Array[]) {
  await using store = await openSealedStore(database.url, { secretKeys })
  const watch = await store.watches.find('acc_1', watchId(number))
  return { secret: watch!.secrets[0]!.secret, headers: watch!.headers }
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
    assert.deepEqual(lines.slice(0, 2), [`${watchId(1)} X-Team Authorization`, watchId(2)])
    assert.deepEqual(lines.slice(2), [
      '2 watches have a new secret. Their owners get one that they can see from POST /v1/watches/{id}/rotate-secret.',
      '1 watch has lost headers, which are named after it. Its owner sets them again with PATCH /v1/watches/{id} {"headers": …}.',
    ])
    assert.doesNotMatch(first.output, /s3cret|roads|whsec_/)
    for (const number of [1, 2]) {
      const { secret, headers } = await secretIn(database, number, KNOWN)
      assert.match(secret, /^whsec_/)
      assert.notEqual(secret, `whsec_${number}`)
      assert.deepEqual(headers, [])
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
