/**
 * Checks what the linter cannot: the openings and the width of comments, and that no tracked file
 * is large or ignored by git. Part of `npm run check`; arguments limit it to some folders.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

const MAX_COLUMNS = 100
const MAX_BYTES = 1_000_000
/** A comment opens with a verb or its subject. `Whether` may open the comment of a boolean. */
const OPENING = /^(?:\/\*\*?|\/\/)\s*(What|Who|Whom|Whose|Where|When|Which|How|Those)\b/

const listFiles = (...args: string[]) =>
  execFileSync('git', ['ls-files', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

const folders = process.argv.slice(2)
const problems: string[] = []
for (const file of listFiles('--cached', '--ignored', '--exclude-standard', '--', ...folders))
  problems.push(`${file} is tracked, though .gitignore names it`)
for (const file of listFiles('--', ...folders)) {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > MAX_BYTES) problems.push(`${file} is tracked and has ${bytes} bytes; at most ${MAX_BYTES} are allowed`)
}
for (const file of listFiles('--', ...folders).filter((name) => /\.(tsx?|css)$/.test(name)))
  if (!file.includes('/generated/')) checkComments(file)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Looks at each line that is a comment; the first line of a block or of a run of `//` opens it. */
function checkComments(file: string): void {
  let insideBlock = false
  let afterLine = false
  let openingPending = false
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = line.trim()
    const startsBlock = !insideBlock && text.startsWith('/*')
    const isLine = !insideBlock && text.startsWith('//')
    const isComment = insideBlock || startsBlock || isLine
    const where = `${file}:${index + 1}`
    if (isComment && line.length > MAX_COLUMNS && !/https?:\/\//.test(line))
      problems.push(`${where}: a comment of ${line.length} columns; at most ${MAX_COLUMNS} are allowed`)
    const opening = openingPending ? `/** ${text.replace(/^\*\s*/, '')}` : text
    if ((startsBlock || (isLine && !afterLine) || openingPending) && OPENING.test(opening))
      problems.push(`${where}: a comment opens with a verb or its subject, not with "${OPENING.exec(opening)![1]}"`)
    openingPending = startsBlock && /^\/\*\*?$/.test(text)
    if (startsBlock || insideBlock) insideBlock = !text.includes('*/')
    afterLine = isLine
  }
}
