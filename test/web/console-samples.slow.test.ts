import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { firstRequestIn, type Language } from '../../web/console/samples.ts'
import { startTestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'

const run = promisify(execFile)

const PROGRAMS = {
  curl: { file: 'sample.sh', command: ['sh'] },
  javascript: { file: 'sample.mjs', command: [process.execPath] },
  python: { file: 'sample.py', command: ['python3'] },
  php: { file: 'sample.php', command: ['php'] },
  go: { file: 'sample.go', command: ['go', 'run'] },
} as const satisfies Record<Language, { file: string; command: readonly string[] }>

for (const [language, { file, command }] of Object.entries(PROGRAMS)) {
  test(`the first request in ${language} runs as it is printed`, async (context) => {
    const program = command[0]!
    const exists = await run('which', [program]).then(
      () => true,
      () => false,
    )
    if (!exists && program !== process.execPath) return context.skip(`${program} is not installed`)
    await using app = await startTestApp()
    await app.publish([anIncident()])
    const { text } = await app.issue()
    await using folder = await temporaryFolder()
    const path = join(folder.path, file)
    await writeFile(path, firstRequestIn(language as Language, app.url, text))
    const { stdout } = await run(program, [...command.slice(1), path], { timeout: 100_000 })
    assert.ok(stdout.includes(anIncident().summary), stdout)
  })
}
