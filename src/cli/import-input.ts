import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { type Open, UnreadableFile } from '../desk/importing/formats/format.ts'
import type { FileIdentity } from '../desk/importing/import.ts'
import { suggestNames } from '../lib/similar-names.ts'
import type { Terminal } from './terminal.ts'

export const STANDARD_INPUT = '-'
const SAMPLE = 65_536

export interface Input {
  /** The name used in messages. */
  readonly name: string
  readonly open: Open
  /** Null for a stream, which has no length and cannot be read again. */
  readonly identity: FileIdentity | null
  /** Size and hash of the whole input; of a stream only once it was read to its end, else null. */
  readonly digest: () => Promise<{ readonly bytes: number; readonly sha256: string } | null>
}

export async function openInput(file: string, terminal: Terminal, signal: AbortSignal): Promise<Input> {
  if (file === STANDARD_INPUT) {
    const { open, digest } = hashed(() => addAbortSignal(signal, terminal.stdin))
    return { name: 'standard input', open, identity: null, digest }
  }
  const stats = await statsOf(file)
  const openAt: Open = (start) => createReadStream(file, { start, signal })
  if (!stats.isFile()) return { name: file, identity: null, ...hashed(openAt) }
  const identity = await identityOf(file, stats.size)
  return {
    name: file,
    open: openAt,
    identity,
    async digest() {
      const { open, digest } = hashed(openAt)
      for await (const _ of open(0));
      return digest()
    },
  }
}

/** Hashes a stream while it is read. */
function hashed(openStream: Open): Pick<Input, 'open' | 'digest'> {
  const hash = createHash('sha256')
  let read = 0
  let result: Awaited<ReturnType<Input['digest']>> = null
  const open: Open = async function* (offset) {
    for await (const chunk of openStream(offset)) {
      hash.update(chunk)
      read += chunk.length
      yield chunk
    }
    result = { bytes: read, sha256: hash.digest('hex') }
  }
  return { open, digest: async () => result }
}

async function statsOf(file: string): Promise<Stats> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new UnreadableFile(`${file} is a folder: name a file in it`)
    return stats
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(await reasonFor(file, error as NodeJS.ErrnoException))
  }
}

async function reasonFor(file: string, error: NodeJS.ErrnoException): Promise<string> {
  if (error.code !== 'ENOENT') return `${file} cannot be read: ${error.message}`
  const names = await readdir(dirname(file)).catch(() => null)
  if (names === null) return `there is no folder ${dirname(file)}`
  const near = suggestNames(basename(file), names)
  return `there is no file ${file}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`
}

/** Identifies a file by its length, its beginning and its end. */
async function identityOf(file: string, size: number): Promise<FileIdentity> {
  try {
    await using handle = await open(file)
    const part = async (position: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE), 0, SAMPLE, position)
      return buffer.subarray(0, bytesRead)
    }
    return { size, sample: Buffer.concat([await part(0), await part(Math.max(0, size - SAMPLE))]) }
  } catch (error) {
    throw new UnreadableFile(await reasonFor(file, error as NodeJS.ErrnoException))
  }
}
