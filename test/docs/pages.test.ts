import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { RETRY_DELAYS } from '../../src/domain/retry.ts'
import { startTestApp } from '../support/app.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = globSync(['*.md', 'docs/**/*.md', '{src,web,resilience}/**/README.md'], { cwd: ROOT })
/** Files that exist only after a build, a run or an import. */
const GENERATED = /^(web\/dist|bench\/data|data)\b/

for (const page of PAGES) {
  test(`every file and folder that ${page} names exists`, () => {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```.*?```/gs, '')
    const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)[^)]*\)/g)].map(([, path]) => path!)
    const code = [...text.matchAll(/`((?:src|web|test|scripts|resilience|bench|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    )
    const missing = [
      ...links.filter((path) => !existsSync(join(ROOT, dirname(page), path))),
      ...code.filter((path) => !GENERATED.test(path) && !existsSync(join(ROOT, path))),
    ]
    assert.deepEqual(missing, [])
  })
}

const PREFIX = 'incident_feed_'
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/monitoring.md'), 'utf8')

test('docs/monitoring.md describes every metric of the service, with its labels, and no other', async () => {
  await using app = await startTestApp()
  const text = await (await app.get('/metrics', null)).text()
  const metrics = [...text.matchAll(/^# TYPE incident_feed_(\S+) (\S+)$/gm)].map(([, name]) => name!)
  const rows = [...PAGE.matchAll(/^\| (`[^|]+) \| ([^|]*(?:gauge|counter|histogram)[^|]*) \|/gm)]
  const described = rows.flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  assert.deepEqual(described.toSorted(), metrics.toSorted())
  for (const [, names, kind] of rows)
    for (const label of kind!.matchAll(/`(\w+)`/g))
      assert.ok(isLabelOf(label[1]!, names!), `${names} has the label ${label[1]}`)

  function isLabelOf(label: string, names: string): boolean {
    const used = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${PREFIX}${name}`)
    // A counter without a series yet has only its HELP line.
    return used.some((name) => {
      const series = text.split('\n').filter((line) => new RegExp(`^${name}(_bucket)?[{ ]`).test(line))
      return series.length === 0 || series.some((line) => line.includes(`${label}="`))
    })
  }
})

const page = await readFile(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')

test('docs/guides/webhooks.md tells the retries as they are', () => {
  const words = RETRY_DELAYS.map((delay) => {
    const seconds = delay / 1000
    return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
  })
  assert(page.replaceAll('\n', ' ').includes(`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`), words.join(', '))
})
