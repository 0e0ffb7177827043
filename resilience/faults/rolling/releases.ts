import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The service of some release, as it is started. */
export interface Release extends Disposable {
  /** Such as `0.2.0 (schema 38, commit 3d23857f)`. */
  readonly title: string
  readonly folder: string
  /** The script of the command `incident-feed`. */
  readonly main: string
  readonly schema: number
}

/** The sources of this tree. */
export const thisTree = (): Release => releaseIn(ROOT, 'this tree', () => {})

/** The package that `npm pack` makes of this tree. */
export function packageOfThisTree(): Release {
  const folder = newFolder()
  return unpacked(packed(ROOT, folder), folder, 'this tree')
}

/**
 * The package of the last release: a `.tgz`, or that of a commit; by default of the newest tag, or
 * of the commit that recorded the last release with its schema.
 */
export function packageOfLastRelease(given: string | undefined): Release {
  const folder = newFolder()
  if (given?.endsWith('.tgz')) return unpacked(resolve(given), folder, 'package')
  const commit = git('rev-parse', '--short', `${given ?? newestTag() ?? lastRecorded()}^{commit}`)
  const tree = newFolder()
  try {
    execFileSync('tar', ['-x', '-C', tree], {
      input: execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 }),
    })
    installDependencies(tree)
    execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { cwd: tree })
    return unpacked(packed(tree, folder), folder, `commit ${commit}`)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Tables and columns in places that every report, delivery and stream uses. */
const EXPANSION = `
  CREATE TABLE of_a_newer_release (id integer PRIMARY KEY, note text);
  ALTER TABLE events ADD COLUMN newer_link text;
  ALTER TABLE log_head ADD COLUMN newer_count integer NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN newer_note text;
  ALTER TABLE incidents ADD COLUMN newer_note_of_desk text;
  ALTER TABLE watches ADD COLUMN newer_kind text NOT NULL DEFAULT 'plain';
  CREATE INDEX events_newer ON events (newer_link) WHERE newer_link IS NOT NULL;`

/** A copy of the release with a further migration, which only adds: the next release. */
export function withExpansion(release: Release): Release {
  const folder = newFolder()
  const program = existsSync(join(release.folder, 'src')) ? 'src' : 'dist'
  for (const name of ['bin', program, 'package.json'])
    cpSync(join(release.folder, name), join(folder, name), { recursive: true })
  for (const name of ['web', 'docs', 'CHANGELOG.md'])
    if (existsSync(join(release.folder, name))) symlinkSync(join(release.folder, name), join(folder, name))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = `${String(release.schema + 1).padStart(4, '0')}-of-a-newer-release.sql`
  for (const store of ['sqlite', 'postgres'])
    writeFileSync(join(folder, program, 'store', store, 'migrations', file), EXPANSION)
  return releaseIn(folder, 'a copy with one more migration', () => remove(folder))
}

function packed(tree: string, into: string): string {
  execFileSync(process.execPath, ['scripts/package/build.ts'], { cwd: tree, stdio: 'inherit' })
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', into]
  return join(into, execFileSync('npm', words, { cwd: tree, encoding: 'utf8' }).trim())
}

function unpacked(file: string, folder: string, origin: string): Release {
  execFileSync('tar', ['-xzf', file, '-C', folder])
  // Dependencies are found in the folder above the package.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return releaseIn(join(folder, 'package'), origin, () => remove(folder))
}

/** This tree has them, if they are the same. */
function installDependencies(tree: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lockOf(tree) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'inherit' })
}

function releaseIn(folder: string, origin: string, dispose: () => void): Release {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const program = existsSync(join(folder, 'src')) ? 'src' : 'dist'
  const migrations = readdirSync(join(folder, program, 'store/postgres/migrations'))
  const schema = Math.max(...migrations.map((name) => Number.parseInt(name, 10) || 0))
  return {
    title: `${version} (schema ${schema}, ${origin})`,
    folder,
    main: join(folder, 'bin/incident-feed.js'),
    schema,
    [Symbol.dispose]: dispose,
  }
}

function newestTag(): string | null {
  return git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0] || null
}

function lastRecorded(): string {
  return git('log', '-1', '--format=%H', '--', 'test/store/releases.json')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'incident-feed-release-'))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })
