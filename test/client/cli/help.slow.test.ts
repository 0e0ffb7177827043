import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { COMMANDS } from '../../../client/cli/commands.ts'
import { completionScript, SHELLS } from '../../../client/cli/completion/completion.ts'
import { helpOf, overview } from '../../../client/cli/help.ts'
import { incidentTable } from '../../../client/cli/output/incident-text.ts'
import { table } from '../../../client/cli/output/table.ts'
import type { Incident } from '../../../client/src/index.ts'
import { FILTER_PARAMETER_NAMES } from '../../../src/filter/parameters.ts'
import { runClient } from '../../support/commands.ts'
import { anIncident } from '../../support/incident.ts'

const run = promisify(execFile)

test('every command is listed and explains every option', () => {
  const all = overview(COMMANDS)
  for (const command of COMMANDS) {
    assert(all.includes(command.name), command.name)
    const help = helpOf(command)
    assert(help.startsWith(`Usage: incidents ${command.name}`))
    for (const { name, about } of command.options) assert(help.includes(`--${name}`) && help.includes(about), name)
  }
})

test('a list takes every filter of the API', () => {
  const options = COMMANDS.find(({ name }) => name === 'list')!.options.map(({ name }) => name.replaceAll('-', '_'))
  // An older name of min_confidence.
  const filters = FILTER_PARAMETER_NAMES.filter((name) => name !== 'confidence')
  assert.deepEqual(filters.filter((name) => !options.includes(name)), []) // biome-ignore format: one check
})

test('--help and --version work everywhere and need no key', async () => {
  for (const words of [['--help'], ['help'], ['watch', '--help'], ['watch', 'create', '--help'], ['list', '--help']]) {
    const { code, stdout, stderr } = await runClient(words, { home: tmpdir() })
    assert.deepEqual([code, stderr], [0, ''], words.join(' '))
    assert.match(stdout, /^Usage: incidents/)
  }
  assert.match((await runClient(['--version'], { home: tmpdir() })).stdout, /^\d+\.\d+\.\d+\n$/)
})

test('bash completes commands, options and values', async () => {
  const script = completionScript('bash', COMMANDS)
  const complete = async (...words: string[]) => {
    const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _incidents`
    const { stdout } = await run('bash', ['-c', `${script}\n${set}; echo "\${COMPREPLY[*]}"`])
    return stdout.trim()
  }
  assert.equal(await complete('incidents', 'li'), 'list listen')
  assert.equal(await complete('incidents', 'watch', 'p'), 'pause')
  assert.equal(await complete('incidents', 'list', '--format', ''), 'table json csv geojson')
  assert.equal(await complete('incidents', 'list', '--min-s'), '--min-severity')
  assert.equal(await complete('incidents', 'list', '--fields', 'su'), 'summary')
  for (const command of ['list', 'tail', 'listen', 'watch create'])
    assert.equal(await complete('incidents', ...command.split(' '), '--ar'), '--area')
  assert.equal(await complete('incidents', 'watch', 'create', '--event', 'incident.u'), 'incident.updated')
  assert.equal(await complete('incidents', 'completion', '--h'), '--help')
})

for (const shell of SHELLS) {
  test(`the ${shell} script names every command and option`, async (context) => {
    const script = completionScript(shell, COMMANDS)
    for (const { name, options } of COMMANDS) {
      for (const word of name.split(' ')) assert(script.includes(word), word)
      for (const option of options) assert(script.includes(option.name), option.name)
    }
    const parses = await run(shell, ['-n', '-c', script]).catch((error: NodeJS.ErrnoException) => error)
    if (!(parses instanceof Error)) return
    if (parses.code === 'ENOENT') return context.skip(`there is no ${shell} here`)
    throw parses
  })
}

test('a table fits the terminal, counts letters with their marks once, and keeps rows in one line', () => {
  const text = table(
    ['A', 'B'],
    [
      ['ẹ̀kọ́', 'x'.repeat(100)],
      ['longer', 'one\ntwo'],
    ],
    30,
  )
  const rows = text.trimEnd().split('\n')
  assert.equal(rows.length, 3)
  assert.equal(rows[1], `ẹ̀kọ́     ${'x'.repeat(21)}…`)
  assert.equal(rows[2], 'longer  one two')
})

test('on a terminal of 80 columns rows fit and ids are whole', () => {
  const incident = anIncident(1, { type: 'insurgent_attack', state: 'Zamfara', lga: 'Talata Mafara' }) as Incident
  const row = table(...incidentTable([incident], 80), 80).split('\n')[1]!
  assert(row.includes(incident.id), row)
  assert(row.length <= 80, row)
  assert.equal(incidentTable([], 120)[0].at(-1), 'SUMMARY')
})
