import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFolder } from './binary/bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const [OUT = join(ROOT, 'dist-binary')] = process.argv.slice(2)
const NAME = process.platform === 'win32' ? 'incident-feed.exe' : 'incident-feed'

/** Writes an executable for this platform: this Node with the installed package in it. */
const folder = mkdtempSync(join(tmpdir(), 'incident-feed-binary-'))
try {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 << 20 })
  execFileSync(process.execPath, ['scripts/package/build.ts'], { cwd: ROOT, stdio: 'inherit' })
  // Without scripts: `npm run build:binary` has built the pages.
  const packing = npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder)
  const [{ filename }] = Object.values(JSON.parse(packing)) as [{ filename: string }]
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  npm(
    'install',
    '--prefix',
    installed,
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(folder, filename),
  )
  const service = join(folder, 'service')
  writeFileSync(service, bundleFolder(installed))
  mkdirSync(OUT, { recursive: true })
  const settings = {
    main: join(import.meta.dirname, 'binary/main.cjs'),
    output: join(OUT, NAME),
    assets: { service },
    disableExperimentalSEAWarning: true,
  }
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(settings))
  execFileSync(process.execPath, ['--build-sea', join(folder, 'sea.json')], { stdio: 'inherit' })
  console.log(`${settings.output}: ${Math.round(statSync(settings.output).size / 1e6)} MB`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
