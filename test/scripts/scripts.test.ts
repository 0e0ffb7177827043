import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, test } from 'node:test'
import { clientTypes } from '../../scripts/client/client-types.ts'
import { type JsonSchema, typeOf } from '../../scripts/client/schema-to-type.ts'
import { importsIn } from '../../scripts/imports/graph.ts'
import { findViolations } from '../../scripts/imports/violations.ts'
import { groupsOf, jobsOf, PARTS, partOf, publishedDurations, testFiles } from '../../scripts/tests/jobs.ts'

const FILE = join(import.meta.dirname, '../../client/src/generated/types.ts')

test('the types of the client are what the contract gives', () => {
  assert.ok(readFileSync(FILE, 'utf8') === clientTypes(), 'run `npm run generate:client`')
})

const TYPES: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string', description: 'A text.' },
  number: { type: 'integer' },
  'string | null': { anyOf: [{ type: 'string' }, { type: 'null' }] },
  "'one' | 'it\\'s'": { enum: ['one', "it's"] },
  Severity: { enum: ['low', 'medium', 'high', 'critical'] },
  Incident: { $ref: '#/components/schemas/Incident' },
  'readonly (string | null)[]': { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  'readonly [number, number]': { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  'readonly string[]': { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 },
  'Readonly<Record<string, unknown>>': { type: 'object' },
  unknown: { description: 'Anything.' },
  "{\n  /** Given. */\n  a: string\n  'b-c'?: number | undefined\n}": {
    type: 'object',
    properties: { a: { type: 'string', description: 'Given.' }, 'b-c': { type: 'number' } },
    required: ['a'],
  },
}
for (const [type, schema] of Object.entries(TYPES)) {
  test(`${JSON.stringify(schema)} is written as a type`, () => assert.equal(typeOf(schema), type))
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  'src/domain/incident.ts': 'src/store/store.ts',
  'src/store/interface/deliveries.ts': 'src/api/server.ts',
  'src/archive/columns/columns.ts': 'src/archive/query/query.ts',
  'src/api/server.ts': 'src/store/open.ts',
  'src/store/sqlite/store.ts': 'src/store/postgres/store.ts',
  'src/deliveries/pipeline.ts': 'src/store/sqlite/store.ts',
  'web/map/main.tsx': 'src/archive/archive.ts',
  'client/src/feed.ts': 'src/api/contract/reference.ts',
  'client/cli/main.ts': 'client/src/feed.ts',
  'client/src/index.ts': 'client/cli/main.ts',
  'src/cli/main.ts': 'client/src/index.ts',
  'web/desk/main.tsx': 'client/src/feed.ts',
}
for (const [file, target] of Object.entries(FORBIDDEN)) {
  test(`${file} may not import ${target}`, () => {
    const violations = findViolations(new Map([[file, [target]]]))
    assert.equal(violations.length, 1)
    assert.match(violations[0]!, new RegExp(`^${file} imports ${target}`))
  })
}

test('imports downwards are allowed', () => {
  const graph = new Map([
    ['src/app.ts', ['src/store/open.ts', 'src/api/server.ts']],
    ['src/api/server.ts', ['src/store/store.ts']],
    ['web/map/main.tsx', ['src/domain/taxonomy.ts', 'client/src/generated/types.ts']],
    ['client/cli/main.ts', ['client/src/index.ts', 'client/cli/list.ts']],
    ['test/store/sqlite.test.ts', ['src/store/sqlite/store.ts']],
  ])
  assert.deepEqual(findViolations(graph), [])
})

test('a circle is found, whichever file it is entered by', () => {
  const graph = new Map([
    ['bench/a.ts', ['bench/b.ts']],
    ['bench/b.ts', ['bench/c.ts']],
    ['bench/c.ts', ['bench/b.ts']],
  ])
  assert.deepEqual(findViolations(graph), ['circle: bench/b.ts → bench/c.ts → bench/b.ts'])
})

test('imports of types, of several lines, of side effects and by call are read', () => {
  const text = `import type { A } from './a.ts'
    import {
      B,
    } from '../b.ts'
    import './c.css'
    const { D } = await import('./d.ts')`
  assert.deepEqual(importsIn('src/api/x.ts', text), ['src/api/a.ts', 'src/b.ts', 'src/api/c.css', 'src/api/d.ts'])
})

it('groups have every file once, neighbours together, and about equal work', () => {
  const size = { seconds: 30, files: 20 }
  for (const [count, seconds] of [0, 1, 19, 20, 21, 41, 372].flatMap((many) =>
    [0.1, 7, 40].map((each) => [many, each] as const),
  )) {
    const files = Array.from({ length: count }, (_, index) => `test/${String(index).padStart(3, '0')}.test.ts`)
    const groups = groupsOf(files, () => seconds, size)
    assert.deepEqual(groups.flat(), files)
    const lengths = groups.map(({ length }) => length)
    assert.ok(Math.max(...lengths) - Math.min(...lengths) <= 1)
    // As few as the size allows.
    assert.ok(lengths.length <= Math.max(Math.ceil(count / 20), Math.ceil((count * seconds) / 30)))
    assert.ok(lengths.every((length) => length === 1 || (length <= 20 && length * seconds <= 30 + seconds)))
  }
  const long = (file: string) => (file === 'long' ? 25 : 5)
  assert.deepEqual(groupsOf(['a', 'b', 'c', 'd', 'long', 'e'], long, size), [
    ['a', 'b', 'c', 'd'],
    ['long', 'e'],
  ])
})

it('published durations are whole seconds of files that exist, and change only with what has changed', () => {
  const before = {
    'test/a': { wall: 10, cpu: 5 },
    'test/b': { wall: 10, cpu: 5 },
    'test/gone': { wall: 9, cpu: 9 },
    'test/sped-up': { wall: 9, cpu: 9 },
    'test/other-folder': { wall: 9, cpu: 9 },
  }
  const measured = {
    'test/a': { wall: 12.7, cpu: 5.4 },
    'test/b': { wall: 13.7, cpu: 5.4 },
    'test/short': { wall: 2.9, cpu: 2 },
    'test/sped-up': { wall: 2, cpu: 1 },
    tsc: { wall: 31.4, cpu: 12.6 },
  }
  assert.deepEqual(JSON.parse(publishedDurations(before, measured, (name) => name !== 'test/gone')), {
    'test/a': { wall: 10, cpu: 5 },
    'test/b': { wall: 14, cpu: 5 },
    'test/other-folder': { wall: 9, cpu: 9 },
    tsc: { wall: 31, cpu: 13 },
  })
})

it('every test file is in one job, with others of its part', () => {
  const folder = new URL('../..', import.meta.url).pathname
  assert.deepEqual(
    ['test/scripts/scripts.test.ts', 'test/cli/serve.slow.test.ts', 'test/browser/alerts.slow.test.ts'].map(partOf),
    ['fast', 'slow', 'browser'],
  )
  const jobs = jobsOf(PARTS, folder, {}, [])
  const tests = jobs.flatMap((job) => (job.kind === 'test' ? [job] : []))
  assert.deepEqual(tests.flatMap(({ files }) => files).sort(), testFiles(folder))
  for (const { part, files } of tests) assert.ok(files.every((file) => partOf(file) === part))
  assert.deepEqual(
    new Set(jobs.flatMap(({ waitsFor }) => waitsFor)),
    new Set(['vite build', 'set up slow', 'set up browser']),
  )
})
