import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { type Durations, jobsOf, PARTS, type Part, publishedDurations } from './jobs.ts'
import { type Result, runJobs } from './run-jobs.ts'
import { processorTime } from './test-process.ts'

/**
 * Runs `npm test` and its parts: `node scripts/tests/main.ts check build fast slow browser`.
 * Folders and files leave out the others; arguments with a hyphen go to the processes of tests,
 * except `--record-durations`.
 */
const FOLDER = join(import.meta.dirname, '../..')
/** Of the last runs in this clone, and the published ones, which a first run is planned by. */
const DURATIONS = join(FOLDER, 'node_modules/.cache/tests/durations.json')
const PUBLISHED_DURATIONS = join(import.meta.dirname, 'durations.json')
const RECORD_DURATIONS = '--record-durations'
/** Many tests wait, for other processes and for time to pass. */
const WORKERS = Math.min(availableParallelism() * 2, 12)
const SLOWEST = 10

const words = process.argv.slice(2)
const parts = PARTS.filter((part) => words.includes(part))
if (parts.length === 0) {
  console.error(`Name what to run: ${PARTS.join(', ')}.`)
  process.exit(2)
}
const options = words.filter((word) => word.startsWith('-') && word !== RECORD_DURATIONS)
const within = words.filter((word) => !parts.includes(word as Part) && !word.startsWith('-'))

const known = { ...readDurations(PUBLISHED_DURATIONS), ...readDurations(DURATIONS) }
const results = await runJobs(jobsOf(parts, FOLDER, known, within), {
  folder: FOLDER,
  workers: Number(process.env.TEST_WORKERS ?? WORKERS),
  options,
  onResult: printResult,
})
const files = results.flatMap(({ job, lines }) =>
  lines.flatMap((line) => (line.type === 'file' ? [{ ...line, part: job.part }] : [])),
)
const commands = results.flatMap(({ job, took }) => (job.kind === 'command' ? [[job.name, took] as const] : []))
const measured = Object.fromEntries([
  ...files.map(({ file, wall, cpu }) => [file, { wall, cpu }] as const),
  ...commands,
])
writeDurations({ ...readDurations(DURATIONS), ...measured })
if (words.includes(RECORD_DURATIONS)) {
  const isThere = (name: string) => !name.startsWith('test/') || existsSync(join(FOLDER, name))
  const published = publishedDurations(readDurations(PUBLISHED_DURATIONS), measured, isThere)
  writeFileSync(PUBLISHED_DURATIONS, published)
}
printSummary()
process.exitCode = results.length > 0 && results.every(({ failures }) => failures.length === 0) ? 0 : 1

function printResult({ job, failures, lines, took }: Result, left: number): void {
  if (job.kind === 'setup' && failures.length === 0) return
  const tests = lines.reduce((sum, line) => (line.type === 'end' ? sum + line.tests : sum), 0)
  const count = job.kind === 'test' ? `${tests} tests, ` : ''
  console.log(
    `${failures.length === 0 ? '✔' : '✖'} ${job.part} ${job.name}: ${count}${seconds(took.wall)} (${left} left)`,
  )
  for (const line of lines) if (line.type === 'note') console.log(`  ℹ ${line.text}`)
  for (const failure of failures) console.log(failure)
}

function printSummary(): void {
  const all = results.flatMap(({ lines }) => lines)
  const skipped = all.flatMap((line) => (line.type === 'skipped' ? [`  ${line.test} # ${line.reason}`] : []))
  if (skipped.length > 0) console.log(`\nSkipped, and why:\n${skipped.join('\n')}`)
  if (files.length > 1) {
    console.log('\nSlowest files           of a processor')
    for (const { file, wall, cpu } of files.toSorted((a, b) => b.wall - a.wall).slice(0, SLOWEST))
      console.log(`${seconds(wall).padStart(10)} ${seconds(cpu).padStart(10)}  ${file}`)
  }
  console.log('\nPart       of a processor   ended after')
  for (const part of parts) {
    const own = results.filter(({ job }) => job.part === part)
    const cpu = own.reduce((sum, { took }) => sum + took.cpu, 0)
    const ended = Math.max(0, ...own.map((result) => result.ended))
    console.log(`${part.padEnd(10)} ${seconds(cpu).padStart(14)} ${seconds(ended).padStart(13)}`)
  }
  const wall = Math.max(0, ...results.map(({ ended }) => ended))
  const cpu = Math.max(
    processorTime(),
    results.reduce((sum, { took }) => sum + took.cpu, 0),
  )
  const share = Math.round((100 * cpu) / (wall * availableParallelism()))
  console.log(
    `${'all'.padEnd(10)} ${seconds(cpu).padStart(14)} ${seconds(wall).padStart(13)}   ${share} % of the processors`,
  )
  const failures = results.flatMap((result) => result.failures)
  if (failures.length > 0) console.log(`\nFailures, again:\n\n${failures.join('\n\n')}`)
  const tests = all.reduce((sum, line) => (line.type === 'end' ? sum + line.tests : sum), 0)
  const failed = all.filter(({ type }) => type === 'failure').length
  console.log(`\n${tests} tests in ${files.length} files: ${failed} failed, ${skipped.length} skipped`)
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}

function readDurations(path: string): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Durations
  } catch {
    return {}
  }
}

function writeDurations(durations: Durations): void {
  mkdirSync(dirname(DURATIONS), { recursive: true })
  writeFileSync(DURATIONS, JSON.stringify(durations, null, 1))
}
