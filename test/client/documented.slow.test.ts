import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const built = mkdtempSync(join(tmpdir(), 'client-types-'))
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'client', '--outDir', built], { cwd: ROOT })
after(() => rmSync(built, { recursive: true }))

const NAMED = /^export (?:declare )?(?:abstract )?(?:class|function|interface|type|const) (\w+)/
const MEMBER = /^ {4}(?!private\b|#|\/|\*|\s|})(?:readonly |static |get |set )*\[?([\w.]+)/

interface Declared {
  readonly name: string
  readonly documented: boolean
}

/** The declarations of a file with, of classes and hand-written interfaces, every member. */
function declaredIn(file: string): Declared[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const found: Declared[] = []
  let owner = ''
  lines.forEach((line, index) => {
    const documented = lines[index - 1]?.trimEnd().endsWith('*/') === true
    const name = NAMED.exec(line)?.[1]
    if (name) found.push({ name, documented })
    if (/^(export|interface|declare)/.test(line)) owner = /\b(class|interface)\b/.test(line) ? (name ?? '') : ''
    const member = MEMBER.exec(line)?.[1]
    // The contract describes what it needs to; its members are not names of this package.
    if (member && owner && !file.includes('generated')) found.push({ name: `${owner}.${member}`, documented })
  })
  return found
}

/** The exports of an entry: everything of a file, or the names that it lists. */
function exportedBy(entry: string): Declared[] {
  const text = readFileSync(entry, 'utf8')
  return [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '([^']+)'/gm)].flatMap(([, what, from]) => {
    const all = declaredIn(join(dirname(entry), from!.replace(/\.[tj]s$/, '.d.ts')))
    if (what === '*') return all
    const names = [...what!.matchAll(/(\w+)(?: as \w+)?\s*[,}]/g)].map(([, name]) => name!)
    for (const name of names) assert.ok(all.some((each) => each.name === name), `${name} is not found in ${from}`) // biome-ignore format: one check
    return all.filter(({ name }) => names.includes(name.split('.')[0]!))
  })
}

test('every public name has a description', () => {
  const names = ['src/index.d.ts', 'src/handlers/index.d.ts'].flatMap((entry) => exportedBy(join(built, entry)))
  for (const known of ['IncidentFeed', 'IncidentFeed.stream', 'unwrap', 'Incident', 'ProblemError.code', 'fetchHandler'])
    assert.ok(names.some(({ name }) => name === known), `${known} is not found`) // biome-ignore format: one check
  assert.ok(names.length > 200, `only ${names.length} names`)
  assert.deepEqual(names.filter(({ documented }) => !documented), []) // biome-ignore format: one check
})
