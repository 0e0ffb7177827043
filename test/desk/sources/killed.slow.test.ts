import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import { places } from '../../../src/geo/places.ts'
import { emptyPostgres, emptySqlite } from '../../store/empty-database.ts'
import { until } from '../../support/app.ts'
import { endCommands, startCommand } from '../../support/command.ts'
import { TEST_SECRETS_KEY } from '../../support/databases/secrets-key.ts'
import { rss, sendFeed, startFeedServer } from '../../support/feed-server.ts'

after(endCommands)

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
/** One story for each of some LGAs. */
const STORIES = places.lgas
  .filter((_, index) => index % 19 === 0)
  .slice(0, 24)
  .map(({ name, state, code }, index) => ({
    guid: code,
    title: `Gunmen kill ${NUMBERS[index % 8]} in ${name}, ${state.name} State`,
    text: `Gunmen killed ${NUMBERS[index % 8]} people in ${name} Local Government Area of ${state.name} State on Monday.`,
  }))

for (const [name, newDatabase] of [
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
] as const)
  describe(`polling on ${name}`, { timeout: 120_000 }, () => {
    it('loses no story and takes none twice if the process is killed in the middle of polls', async () => {
      await using server = await startFeedServer(sendFeed(rss(STORIES), { etag: '"1"' }))
      await using database = await newDatabase()
      await using store = await database.open()
      const id = newIdentifier('source', Date.now(), randomBytes)
      const settings = { kind: 'feed', publisher: 'Herald', everyMinutes: 60, paused: false, createdAt: 0 } as const
      await store.sources.add({ ...settings, id, url: server.url, urlKey: 'x', dueAt: 0 }, 10)
      const items = async () => (await store.sources.find(id))!.counts.items
      const environment = {
        DATABASE_URL: database.url,
        PORT: '0',
        SECRETS_KEY: TEST_SECRETS_KEY,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        LOG_LEVEL: 'error',
      }
      const runUntil = async (signal: 'SIGKILL' | 'SIGTERM', condition: () => Promise<boolean>) => {
        const service = startCommand(['serve'], environment)
        try {
          // A start may take long on a busy machine.
          for (let left = 2; left > 0 && !(await condition()); left--)
            await until(condition, service.output()).catch((error) => (left === 1 ? Promise.reject(error) : null))
        } finally {
          service.child.kill(signal)
          await service.ended
        }
      }
      for (const enough of [2, 12]) await runUntil('SIGKILL', async () => (await items()) >= enough)
      assert.equal((await store.sources.find(id))!.polling.etag, null)
      await runUntil('SIGTERM', async () => (await store.sources.find(id))!.polling.succeededAt !== null)

      const { counts, polling } = (await store.sources.find(id))!
      assert.equal(polling.etag, '"1"')
      assert.equal(counts.items, STORIES.length)
      const open = await store.incidents.openReports(0, Number.MAX_SAFE_INTEGER, 1000)
      const addresses = open.map(({ sources }) => sources[0]!.url)
      assert.deepEqual(addresses.sort(), STORIES.map(({ guid }) => `https://herald.example.org/${guid}`).sort())
      assert.equal(counts.queued, STORIES.length)
    })
  })
