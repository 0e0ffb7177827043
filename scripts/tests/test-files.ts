import { globSync } from 'node:fs'

export interface TestFiles {
  /** Run several to a process. */
  readonly fast: readonly string[]
  /** Each has a process of its own: they kill, wait and start others. */
  readonly slow: readonly string[]
}

/** The tests below `folder` that need no browser. */
export function testFiles(folder: string): TestFiles {
  const all = globSync('test/**/*.test.ts', { cwd: folder }).filter((file) => !file.startsWith('test/browser/'))
  const [slow, fast] = [true, false].map((isSlow) => all.filter((file) => file.endsWith('.slow.test.ts') === isSlow))
  return { fast: fast!.sort(), slow: slow!.sort() }
}
