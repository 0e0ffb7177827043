import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

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
