// npm runs this after every install, also without development dependencies and with an old Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const isBuilt = existsSync(join(root, 'web/dist/.vite/manifest.json'))
// The first `npx incident-feed` in a clone prepares it too: pages that a service may be reading stay.
const isRun = process.env.npm_command === 'exec'

if (existsSync(vite) && !(isRun && isBuilt)) {
  const { status } = spawnSync(process.execPath, [vite, 'build'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!isBuilt) {
  console.warn(
    'incident-feed: the pages are not built, because Vite is a development dependency; the API works, and / shows a plain list. ' +
      'Install the package (npm pack), copy web/dist from another machine, or run npm ci without --omit=dev.',
  )
}
