/**
 * Prints the size of `src`, `web` and `test`: `npx node scripts/size.ts [commit]`, with a commit in
 * two columns, before and after.
 */
import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'

const FOLDERS = ['src', 'web', 'test']
const CODE = /\.tsx?$/
const FEW_LINES = 30

/** The files of a commit, or of the working tree without one, with their texts. */
function readFiles(commit: string | undefined): Map<string, string> {
  const git = (...args: string[]) => execFileSync('git', args, { maxBuffer: 2 ** 30, encoding: 'utf8' })
  const tree = commit ?? git('stash', 'create').trim() ?? ''
  const names = git('ls-tree', '-r', '--name-only', tree || 'HEAD', ...FOLDERS)
    .trim()
    .split('\n')
  const wanted = names.filter((name) => CODE.test(name) || name.endsWith('.md'))
  const output = execFileSync('git', ['cat-file', '--batch'], {
    input: wanted.map((name) => `${tree || 'HEAD'}:${name}\n`).join(''),
    maxBuffer: 2 ** 30,
  })
  const files = new Map<string, string>()
  let at = 0
  for (const name of wanted) {
    const end = output.indexOf(10, at)
    const size = Number(output.toString('utf8', at, end).split(' ')[2])
    files.set(name, output.toString('utf8', end + 1, end + 1 + size))
    at = end + size + 2
  }
  return files
}

/** Counts how many files import each file. */
function countImporters(files: ReadonlyMap<string, string>): Map<string, number> {
  const importers = new Map<string, number>()
  for (const [name, text] of files) {
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1]!)
    for (const target of new Set(specifiers.map((specifier) => normalize(join(dirname(name), specifier)))))
      if (!name.startsWith('test/')) importers.set(target, (importers.get(target) ?? 0) + 1)
  }
  return importers
}

function measure(files: ReadonlyMap<string, string>, folder: string): number[] {
  const importers = countImporters(files)
  const inside = [...files].filter(([name]) => name.startsWith(`${folder}/`))
  const code = inside.filter(([name]) => CODE.test(name))
  const lines = code.map(([, text]) => text.split('\n').length - 1).sort((a, b) => a - b)
  const holdsOneFunction = (text: string) =>
    (text.match(/^export /gm) ?? []).length === 1 && /^export (async )?function/m.test(text)
  return [
    code.length,
    new Set(code.map(([name]) => dirname(name))).size,
    lines.reduce((sum, count) => sum + count, 0),
    lines[lines.length >> 1] ?? 0,
    lines.filter((count) => count < FEW_LINES).length,
    code.filter(([name, text]) => holdsOneFunction(text) && importers.get(name) === 1).length,
    inside.length - code.length,
  ]
}

const COLUMNS = ['files', 'folders', 'lines', 'median', `under ${FEW_LINES}`, 'one function, one importer', 'Markdown']
const before = process.argv[2] === undefined ? null : readFiles(process.argv[2])
const after = readFiles(undefined)
console.log(`| | ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length + 1)}`)
for (const folder of FOLDERS) {
  const [old, now] = [before && measure(before, folder), measure(after, folder)]
  console.log(`| ${folder} | ${now.map((value, i) => (old ? `${old[i]} → ${value}` : value)).join(' | ')} |`)
}
