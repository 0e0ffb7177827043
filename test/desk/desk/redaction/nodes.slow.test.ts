import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proxyTo } from '../../../store/proxy.ts'
import { startTestApp, until } from '../../../support/app.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import { readStream } from '../../../support/readers/stream.ts'
import { aReport } from '../../../support/report.ts'

const NAME = 'Hauwa Tsamiya'

describe('a redaction with several nodes', { timeout: 120_000 }, () => {
  it('is forgotten by a node that was cut off from the database, once it reads the log again', async () => {
    await using database = await testDatabase()
    await using proxy = await proxyTo(database.url)
    await using here = await startTestApp({ DATABASE_URL: database.url })
    await using there = await startTestApp({ DATABASE_URL: proxy.url })
    const editor = (await here.issue({ scopes: ['read', 'report', 'review'] })).text
    const client = (await here.issue()).text
    const report = aReport({ summary: `Gunmen took ${NAME}.` })
    const { id } = (await (await here.post('/v1/reports', report, editor)).json()) as { id: string }
    await here.post(`/v1/desk/incidents/${id}/confirm`, '', editor)
    const changes = async () => (await there.get('/v1/changes', client)).text()
    await until(() => there.archive.slotOf(id) !== null, 'the other node')
    // Kept in its memory, as its archive and its recent events.
    assert.match(await changes(), /Tsamiya/)

    proxy.partition()
    const response = await here.post(`/v1/desk/incidents/${id}/redact`, { words: [NAME], reason: 'Asked for.' }, editor)
    assert.equal(response.status, 200)
    const { seq } = await here.store.events.head()
    proxy.heal()
    await until(() => there.archive.head.seq === seq, 'the other node in step')
    assert.doesNotMatch(await changes(), /Tsamiya/)
    assert.doesNotMatch(await (await there.get('/v1/incidents', client)).text(), /Tsamiya/)
    await using stream = await readStream(`${there.url}/v1/stream`, client, { 'last-event-id': '0' })
    await until(() => stream.changes.length === 2, 'the replay')
    assert.doesNotMatch(stream.blocks.join(), /Tsamiya/)
  })
})
