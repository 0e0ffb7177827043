import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/folder.ts'
import { applyEdit, type Edit, seedOf, testFileOf } from './sabotage.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['src', 'resilience', 'simulation', 'test', 'bench', 'package.json', 'tsconfig.json']
const LINKED = ['node_modules', 'web', 'client', 'docs', 'CHANGELOG.md']
const TEST_ARGUMENTS = ['--test', '--test-global-setup=test/support/global-setup.ts']
/** Of a seed: enough months for every action and fault, and few enough incidents to be cheap. */
const SEED_ARGUMENTS = ['--max-semi-space-size=64', 'simulation/main.ts', '--years', '0.5', '--no-shrink', '--seed']
/** A proof that takes longer has found something too: a service that hangs. */
const PROOF_TIMEOUT_MS = 300_000
const START_TIMEOUT_MS = 60_000

export interface ProofRun {
  readonly passed: boolean
  /** The first line that says what is wrong; for a proof that passed, its time. */
  readonly reason: string
  /** Everything it printed. */
  readonly output: string
  /** A simulation that ends without a sentence about the service, which proves nothing. */
  readonly hasCrashed?: boolean
}

/** A copy of the project in which the source can be edited and scenarios run. */
export class CopiedTree implements AsyncDisposable {
  readonly path: string

  static async create(): Promise<CopiedTree> {
    const path = await mkdtemp(join(tmpdir(), 'incident-feed-sabotage-'))
    for (const name of COPIED) await cp(join(ROOT, name), join(path, name), { recursive: true })
    for (const name of LINKED) await symlink(join(ROOT, name), join(path, name))
    return new CopiedTree(path)
  }

  private constructor(path: string) {
    this.path = path
  }

  /** Applies the edits; the returned function undoes them. Throws if one does not apply. */
  async apply(edits: readonly Edit[]): Promise<() => Promise<void>> {
    const originals = new Map<string, string>()
    const undo = async () => {
      for (const [file, text] of originals) await writeFile(join(this.path, file), text)
    }
    try {
      for (const edit of edits) {
        const path = join(this.path, edit.file)
        const text = await readFile(path, 'utf8')
        if (!originals.has(edit.file)) originals.set(edit.file, text)
        await writeFile(path, applyEdit(text, edit))
      }
    } catch (error) {
      await undo()
      throw error
    }
    return undo
  }

  /** Whether the service of the copy starts. */
  async startsService(): Promise<boolean> {
    await using folder = await temporaryFolder()
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${join(folder.path, 'feed.db')}` }
    const child = spawn(process.execPath, ['src/main.ts', 'serve', '--port', '0'], { cwd: this.path, env })
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Server listening')) child.kill('SIGKILL')
    })
    await once(child, 'close')
    clearTimeout(timer)
    return output.includes('Server listening')
  }

  /** Runs a file of tests, the quick form of a scenario, or a seed, against the copy. */
  async runProof(proof: string): Promise<ProofRun> {
    const startedAt = performance.now()
    // Its own process group, so that a proof that hangs is ended with the services that it started.
    const child = spawn(process.execPath, argumentsOf(proof), { cwd: this.path, detached: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      process.kill(-child.pid!, 'SIGKILL')
    }, PROOF_TIMEOUT_MS)
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    if (code === 0) return { passed: true, reason: `${seconds} s`, output }
    if (output.includes('NOT RUN')) return { passed: true, reason: 'NOT RUN', output }
    const hasCrashed = seedOf(proof) !== null && !VIOLATION.test(output)
    if (timedOut) return { passed: false, reason: `no end within ${seconds} s`, output, hasCrashed }
    return { passed: false, reason: reasonIn(output), output, hasCrashed }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

function argumentsOf(proof: string): readonly string[] {
  const seed = seedOf(proof)
  if (seed !== null) return [...SEED_ARGUMENTS, seed]
  const file = testFileOf(proof)
  return file === null ? ['resilience/main.ts', proof, '--quick'] : [...TEST_ARGUMENTS, file]
}

const VIOLATION = /^Violation: (.*)/m

/** A failed check or test, a violation, an example of what was wrong, or an error. */
function reasonIn(output: string): string {
  const lines = output.split('\n')
  const line =
    VIOLATION.exec(output)?.[1] ??
    lines.find((one) => one.startsWith('FAILED')) ??
    lines.find((one) => /^ *✖ /.test(one)) ??
    lines.find((one) => one.startsWith('        ')) ??
    lines.find((one) => one.endsWith('FAILED'))
  return (line ?? output.slice(-200))
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/ \([\d.]+ms\)$/, '')
    .slice(0, 240)
}
