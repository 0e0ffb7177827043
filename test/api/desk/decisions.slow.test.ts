import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startTestApp } from '../../support/app.ts'
import { testDatabase } from '../../support/databases/postgres.ts'
import { aReport } from '../../support/incident.ts'

const REPORTS = 8
const OPERATORS = 12

/** Starts two services on one database, as two nodes. */
async function race(databaseUrl: string): Promise<void> {
  await using one = await startTestApp({ DATABASE_URL: databaseUrl })
  await using other = await startTestApp({ DATABASE_URL: databaseUrl })
  const key = (await one.issue({ scopes: ['read', 'operate'] })).text
  for (let number = 0; number < REPORTS; number++) {
    const { id } = (await (await one.post('/v1/reports', aReport(), key)).json()) as { id: string }
    const answers = await Promise.all(
      Array.from({ length: OPERATORS }, (_, index) =>
        (index % 2 ? one : other).post(`/v1/desk/incidents/${id}/confirm`, '', key),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(OPERATORS - 1).fill(409)])
    const events = (await one.store.events.after(0, 1000)).filter(({ incidentId }) => incidentId === id)
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['incident.created'],
    )
  }
}

describe('many operators who confirm one report at the same moment make one event', () => {
  it('on SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'races-'))
    try {
      await race(`sqlite:${join(folder, 'feed.db')}`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('on PostgreSQL', async () => {
    await using database = await testDatabase()
    await race(database.url)
  })
})
