// The script in the executable. It unpacks the service beside the user's other caches, once for each
// build, because worker threads and files cannot be read from within an executable.
const { createHash, randomUUID } = require('node:crypto')
const { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { getRawAsset } = require('node:sea')
const { zstdDecompressSync } = require('node:zlib')

const packed = Buffer.from(getRawAsset('service'))
const build = createHash('sha256').update(packed).digest('hex').slice(0, 16)
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'incident-feed')
const folder = join(cache, build)

try {
  if (!existsSync(folder)) unpack()
} catch (error) {
  console.error(
    `incident-feed: the service cannot be unpacked into ${cache} (${error.code ?? error.message}). Set XDG_CACHE_HOME to a folder that this user may write.`,
  )
  process.exit(1)
}
const bin = join(folder, 'node_modules/incident-feed/bin/incident-feed.js')
createRequire(bin)(bin)

/** Under another name first: a second start at the same time, or a full disk, leaves nothing half-written. */
function unpack() {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const partial = join(cache, `${build}.${randomUUID()}`)
  try {
    const bytes = zstdDecompressSync(packed)
    const start = 4 + bytes.readUInt32LE(0)
    let position = start
    for (const [name, size] of JSON.parse(bytes.subarray(4, start).toString())) {
      const path = join(partial, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes.subarray(position, position + size))
      position += size
    }
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
