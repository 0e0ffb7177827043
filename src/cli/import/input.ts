import { createReadStream, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { addAbortSignal } from 'node:stream'
import type { FileIdentity } from '../../intake/importing/checkpoint.ts'
import { type Open, UnreadableFile } from '../../intake/importing/formats/format.ts'
import { suggestNames } from '../../lib/text/suggest.ts'

export const STANDARD_INPUT = '-'
const SAMPLE = 65_536

export interface Input {
  /** The name used in messages. */
  readonly name: string
  readonly open: Open
  /** Null for a stream, which has no length and cannot be read again. */
  readonly identity: FileIdentity | null
}

export async function openInput(file: string, signal: AbortSignal): Promise<Input> {
  if (file === STANDARD_INPUT) {
    return { name: 'standard input', open: () => addAbortSignal(signal, process.stdin), identity: null }
  }
  const stats = await statsOf(file)
  const identity = stats.isFile() ? await identityOf(file, stats.size) : null
  return { name: file, open: (start) => createReadStream(file, { start, signal }), identity }
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
