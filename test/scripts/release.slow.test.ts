import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SCHEMA } from '../../src/version.ts'
import { temporaryFolder } from '../support/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const VERSION = '9.8.7'
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']

test('a release is a dated entry, a tag, packages of that commit, checksums and a list of all parts', async () => {
  await using folder = await temporaryFolder()
  const clone = join(folder.path, 'clone')
  const out = join(folder.path, 'out')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim()
  const inClone = (path: string) => join(clone, path)
  const release = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/release.ts', ...words], { cwd: clone, encoding: 'utf8' })
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, clone])
  symlinkSync(join(ROOT, 'node_modules'), inClone('node_modules'))
  // Ignored as a folder, not as a link.
  writeFileSync(inClone('.git/info/exclude'), 'node_modules\n')
  copyFileSync(join(ROOT, 'scripts/release.ts'), inClone('scripts/release.ts'))
  for (const path of ['package.json', 'client/package.json']) {
    const text = readFileSync(inClone(path), 'utf8')
    writeFileSync(inClone(path), text.replace(/"version": "[^"]+"/, `"version": "${VERSION}"`))
  }
  const before = readFileSync(inClone('CHANGELOG.md'), 'utf8').replace('## Unreleased\n', '')
  writeFileSync(inClone('CHANGELOG.md'), before.replace(/^## /m, '## Unreleased\n\n- Something new.\n\n## '))
  const isDirty = release('--out', out)
  assert.deepEqual([isDirty.status, /commit or remove what is changed/.test(isDirty.stderr)], [1, true])
  git(...AUTHOR, 'commit', '--quiet', '--all', '--message', 'something new')
  const inTree = release('--dry-run', '--out', inClone('out'))
  assert.deepEqual([inTree.status, /outside of this tree/.test(inTree.stderr)], [1, true])

  const head = git('rev-parse', 'HEAD')
  const made = release('--out', out)
  assert.equal(made.status, 0, made.stderr)
  const today = new Date().toISOString().slice(0, 10)
  assert.ok(made.stdout.includes(`## ${VERSION} (${today})`), made.stdout)
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('rev-parse', `v${VERSION}^{commit}`), git('rev-parse', 'HEAD'))
  assert.equal(git('rev-parse', 'HEAD^'), head)
  assert.match(git('show', 'HEAD:CHANGELOG.md'), new RegExp(`\n## ${VERSION} \\(${today}\\)\n\n- Something new.\n`))
  const releases = JSON.parse(git('show', 'HEAD:test/store/releases.json')) as { version: string; schema: number }[]
  assert.deepEqual(releases.at(-1), { version: VERSION, schema: SCHEMA })
  assert.deepEqual(releases.slice(0, -1), JSON.parse(readFileSync(join(ROOT, 'test/store/releases.json'), 'utf8')))

  const packages = [`incident-feed-${VERSION}.tgz`, `incident-feed-client-${VERSION}.tgz`]
  assert.deepEqual(readdirSync(out).sort(), ['SHA256SUMS', `incident-feed-${VERSION}.cdx.json`, ...packages])
  for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, name] = line.split('  ')
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(out, name!)))
        .digest('hex'),
      sum,
    )
  }
  const packed = (file: string) =>
    execFileSync('tar', ['-xzOf', join(out, packages[0]!), `package/${file}`], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(packed('dist/build.json')), { commit: git('rev-parse', 'HEAD') })
  assert.match(packed('CHANGELOG.md'), new RegExp(`## ${VERSION} `))
  assert.match(packed('web/dist/.vite/manifest.json'), /assets/)
  const parts = JSON.parse(readFileSync(join(out, `incident-feed-${VERSION}.cdx.json`), 'utf8')) as {
    bomFormat: string
    components: { name: string }[]
  }
  assert.equal(parts.bomFormat, 'CycloneDX')
  for (const name of ['fastify', 'pg', 'maplibre-gl'])
    assert.ok(
      parts.components.some((each) => each.name === name),
      name,
    )
  const again = release('--dry-run', '--out', out)
  assert.deepEqual([again.status, /v9\.8\.7 exists/.test(again.stderr)], [1, true])
})
