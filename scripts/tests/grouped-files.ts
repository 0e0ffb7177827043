import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Runs test files in this process, one after the other, each as a suite of its own: hooks at the
 * top of a file count for that file, and one that cannot be loaded fails alone. At the end `group`
 * is added to the file `ended`: a process that a test has ended does not come that far.
 */
export function runGrouped(files: readonly string[], group: string, ended: string): void {
  after(() => appendFileSync(ended, `${group}\n`))
  for (const file of files) describe(relative('.', file), () => import(pathToFileURL(file).href))
}
