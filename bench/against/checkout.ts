import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

export interface Checkout extends Disposable {
  readonly commit: string
  /** Its `bench/`, for `startChild`. */
  readonly bench: URL
}

/** Checks a commit out beside this one. It uses the packages and the built pages of this one. */
export function checkOut(name: string): Checkout {
  const git = (...words: string[]) => execFileSync('git', ['-C', PROJECT, ...words], { encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--verify', `${name}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'against-'))
  git('worktree', 'add', '--detach', folder, commit)
  for (const made of ['node_modules', 'web/dist']) {
    if (existsSync(join(PROJECT, made))) symlinkSync(join(PROJECT, made), join(folder, made))
  }
  return {
    commit: commit.slice(0, 12),
    bench: pathToFileURL(join(folder, 'bench/')),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true })
      git('worktree', 'prune')
    },
  }
}
