import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsIn } from '../../../scripts/imports/graph.ts'
import { findViolations } from '../../../scripts/imports/violations.ts'

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
