import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMMIT } from '../../src/version.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'src')
const OUT = join(ROOT, 'dist')

/**
 * Writes `dist`: `src` as JavaScript, with the files that it reads. It lies as deep as `src`, so
 * that paths to `web/dist`, `docs` and `package.json` are the same in both.
 */
rmSync(OUT, { recursive: true, force: true })
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.package.json'], {
  cwd: ROOT,
  stdio: 'inherit',
})
// Migrations, geography, fonts, icons and words, with their licences.
for (const name of globSync('**/*.*', { cwd: SOURCES, exclude: ['**/*.ts', '**/README.md'] })) {
  const to = join(OUT, name)
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(join(SOURCES, name), to)
}
// The package has no repository to read it from.
writeFileSync(join(OUT, 'build.json'), JSON.stringify({ commit: COMMIT }))
