import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { incidentIdOf } from '../../src/desk/importing/prepare-row.ts'
import { openStore } from '../../src/store/open.ts'
import { type Cells, csvOf, plainRow } from '../desk/importing/formats/fixtures.ts'
import { runCommand } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'

suite('incident-feed imports', { timeout: 120_000 }, () => {
  test('lists imports, shows their reports, and undoes one on record', async () => {
    await using folder = await temporaryFolder()
    const DATABASE_URL = `sqlite:${join(folder.path, 'database.db')}`
    const run = (...words: string[]) => runCommand(words, { DATABASE_URL })
    const importing = async (rows: readonly Cells[], ...flags: string[]) => {
      const file = join(folder.path, 'events.csv')
      await writeFile(file, csvOf(rows.map(plainRow)))
      const { output } = await run('import', 'csv', file, ...flags)
      return /This was (imp_\w+)/.exec(output)![1]!
    }
    assert.match((await run('imports', 'list')).output, /Nothing was imported yet/)
    const rich = { source_id: 'acme:1', lga: 'Chikun', killed: 1 }
    const first = await importing([rich], '--constant', 'dataset=acme')
    const second = await importing([{ ...rich, lga: '', killed: 2 }, { source_id: 'acme:2' }])

    const { output: list } = await run('imports', 'list')
    assert.deepEqual(
      list
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[0]),
      [second, first],
    )
    assert.match((await run('imports', 'show', first)).output, /dataset {4}acme\nsettings {3}.*"dataset":"acme"/)
    const { output: shown } = await run('imports', 'show', second, '--incidents')
    assert.match(shown, /state {6}finished/)
    assert.match(shown, /file {7}events\.csv, [\d,]+ bytes\nsha256 {5}[0-9a-f]{64}/)
    assert.match(shown, /location: 1/)
    const id = incidentIdOf('acme:1')
    assert.match(shown, new RegExp(`${id}  updated, version 2, kept its .*location`))

    assert.match((await run('imports', 'undo', 'imp_nothing')).output, /there is no import imp_nothing/)
    assert.match(
      (await run('imports', 'undo', second, '--dry-run')).output,
      /would be 1 put back, 1 taken back, 0 left/,
    )
    const undone = await run('imports', 'undo', second)
    assert.deepEqual([undone.code, undone.output.trim()], [0, 'Undone: 1 put back, 1 taken back, 0 left as they are.'])
    assert.match((await run('imports', 'undo', second)).output, /is undone already/)
    assert.match((await run('imports', 'show', second)).output, /undone {5}.*1 put back, 1 taken back/)

    await using store = await openStore(DATABASE_URL)
    assert.equal((await store.incidents.find(id))!.casualties.killed, 1)
    const audit = await store.audit.list({ accountId: null, incidentId: null, from: null, to: null }, null, 50)
    assert.deepEqual(
      audit.filter(({ action }) => action.startsWith('import.')).map(({ action, subject }) => [action, subject]),
      [
        ['import.undo', second],
        ['import.run', second],
        ['import.run', first],
      ],
    )
  })
})
