import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'

/** Files that a server never reads: types, and the maps of other people's code. */
const UNUSED = /\.d\.[cm]?ts(\.map)?$|node_modules\/(?!incident-feed\/).*\.map$/

/**
 * Writes all files of a folder as one: the length of an index, the index as JSON, the bytes of the
 * files.
 */
export function bundleFolder(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => !UNUSED.test(name))
    .sort()
  const index = Buffer.from(JSON.stringify(names.map((name) => [name, statSync(join(folder, name)).size])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(index.length)
  const bytes = Buffer.concat([length, index, ...names.map((name) => readFileSync(join(folder, name)))])
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 12 } })
}
