import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aLine } from '../desk/gazetteer/a-line.ts'
import { startTestApp, until } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'

const NAME = 'Gidan Zartu'

async function meaningOf(app: Awaited<ReturnType<typeof startTestApp>>): Promise<string> {
  const found = await app.get(`/v1/places/search?q=${encodeURIComponent(`${NAME} village`)}`)
  return ((await found.json()) as { meaning: string }).meaning
}

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  test(`an import is known to every running node, with ${kind}`, async () => {
    await using folder = await temporaryFolder()
    await using scope = new AsyncDisposableStack()
    const url = kind === 'SQLite' ? `sqlite:${join(folder.path, 'feed.db')}` : scope.use(await testDatabase()).url
    await using one = await startTestApp({ DATABASE_URL: url })
    await using other = await startTestApp({ DATABASE_URL: url })
    assert.equal(await meaningOf(one), 'none')
    const file = join(folder.path, 'NG.txt')
    await writeFile(file, `${aLine({ name: NAME, lat: '10.9', lng: '6.8' })}\n${aLine({ id: '2', code: 'S.SCH' })}\n`)
    const run = () => runCommand(['places', 'import', file, '--database-url', url])
    assert.match(
      (await run()).output,
      /^2 lines of GeoNames: 1 added, 0 changed, 0 unchanged; left out: 1 of a kind that is not kept\.\nThe gazetteer has 1 places/,
    )
    for (const app of [one, other]) await until(async () => (await meaningOf(app)) === 'one')
    assert.match((await run()).output, /0 added, 0 changed, 1 unchanged/)
    await using restarted = await startTestApp({ DATABASE_URL: url })
    assert.equal(await meaningOf(restarted), 'one')
  })
}

test('wrong arguments and files are one sentence', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'NG.txt')
  await writeFile(file, 'name,lat,lng\n')
  const database = ['--database-url', `sqlite:${join(folder.path, 'feed.db')}`]
  for (const [words, message] of [
    [['places'], /the only action of places is import/],
    [['places', 'import'], /name one file/],
    [['places', 'import', join(folder.path, 'NG.tx'), ...database], /there is no file .* did you mean NG\.txt/],
    [['places', 'import', file, ...database], /nothing was imported.*\nline 1: has 1 columns/],
  ] as const) {
    const { code, output } = await runCommand([...words])
    assert.equal(code, 1)
    assert.match(output, message)
    assert.doesNotMatch(output, /at .*\.ts:/)
  }
})
