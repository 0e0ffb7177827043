import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run release [-- --dry-run] [--out FOLDER]`: a release of the version in package.json.
 * Works in a clone of the last commit, which neither takes what is not committed nor leaves a
 * failure half-way in this tree: dates the changelog, builds the packages of the server and the
 * client, a list of all parts (SBOM) and the checksums. Without `--dry-run` it then takes the
 * commit and the tag over; publishing stays with a person.
 */
const ROOT = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' } } })
const isDry = values['dry-run'] ?? false

const manifestOf = (folder: string): { version: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const run = (folder: string, program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
const refuse = (reason: string): never => {
  console.error(`release: ${reason}`)
  process.exit(1)
}

const { version } = manifestOf(ROOT)
const tag = `v${version}`
if (manifestOf(join(ROOT, 'client')).version !== version)
  refuse(`client/package.json has another version than package.json, ${version}`)
if (run(ROOT, 'git', 'tag', '--list', tag) !== '')
  refuse(`${tag} exists: raise the version in package.json and client/package.json`)
if (run(ROOT, 'git', 'status', '--porcelain') !== '' && !isDry) refuse('commit or remove what is changed in this tree')
const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), `incident-feed-${version}-`)))
if (out.startsWith(ROOT)) refuse('--out names a folder outside of this tree')
mkdirSync(out, { recursive: true })

const clone = mkdtempSync(join(tmpdir(), 'incident-feed-release-'))
try {
  run(clone, 'git', 'clone', '--quiet', '--shared', ROOT, '.')
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  const entry = dateChangelog(clone)
  recordSchema(clone)
  const author = ['-c', `user.name=${gitSetting('user.name')}`, '-c', `user.email=${gitSetting('user.email')}`]
  run(clone, 'git', ...author, 'commit', '--quiet', '--all', '--message', `release: ${version}`)
  run(clone, 'git', ...author, 'tag', '--annotate', '--message', `Incident Feed ${version}`, tag)
  run(clone, process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn')
  run(clone, process.execPath, 'scripts/package/build.ts')
  run(clone, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', out)
  run(clone, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'client')
  run(clone, 'npm', 'pack', './client', '--silent', '--ignore-scripts', '--pack-destination', out)
  // With what the pages are built from, which is among the development dependencies.
  const parts = run(clone, 'npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')
  writeFileSync(join(out, `incident-feed-${version}.cdx.json`), parts)
  const files = readdirSync(out).filter((name) => name.includes(version))
  const sums = files.map((name) => `${sha256Of(join(out, name))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  console.log(`${entry}\n\n${tag}, commit ${run(clone, 'git', 'rev-parse', 'HEAD').trim()}\n${sums.join('')}in ${out}`)
  if (isDry) console.log('A dry run: nothing was committed or tagged here, and nothing published.')
  else {
    run(ROOT, 'git', 'pull', '--quiet', '--ff-only', '--tags', clone, 'HEAD')
    console.log(`Now: git push --follow-tags; then publish the files of ${out} with the tag.`)
  }
} finally {
  rmSync(clone, { recursive: true, force: true })
}

/** Writes the version and the day over what is unreleased; returns the first lines of the entry. */
function dateChangelog(folder: string): string {
  const path = join(folder, 'CHANGELOG.md')
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`
  const text = readFileSync(path, 'utf8')
  const [, before, entry, after] = /^(.*\n)## Unreleased\n(.*?)(\n## .*)?$/s.exec(text) ?? []
  if (entry === undefined || entry.trim() === '') return refuse('CHANGELOG.md has nothing under "## Unreleased"')
  writeFileSync(path, `${before}${heading}\n${entry}${after ?? ''}`)
  return `${heading}\n${entry.trim().split('\n').length} lines`
}

/** Nodes of this release will run beside newer ones: its schema bounds later migrations. */
function recordSchema(folder: string): void {
  const path = join(folder, 'test/store/releases.json')
  const earlier = (JSON.parse(readFileSync(path, 'utf8')) as { version: string }[]).filter(
    (release) => release.version !== version,
  )
  const migrations = readdirSync(join(folder, 'src/store/sqlite/migrations'))
  const schema = Math.max(...migrations.map((name) => Number.parseInt(name, 10)))
  writeFileSync(path, `${JSON.stringify([...earlier, { version, schema }], null, 2)}\n`)
}

function gitSetting(name: string): string {
  return run(ROOT, 'git', 'log', '-1', `--format=${name === 'user.name' ? '%cn' : '%ce'}`).trim()
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
