import { type FileHandle, open, rm } from 'node:fs/promises'
import type { BatchRow } from './batches.ts'

export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile'
}

/** The rows that were rejected, one JSON document a line: `row`, `reason`, and `text` as it stood in the file. */
export class RejectedRows implements AsyncDisposable {
  readonly path: string
  #length: number
  #file: FileHandle | null = null

  private constructor(path: string, length: number) {
    this.path = path
    this.#length = length
  }

  /** None so far. What an earlier import has left there would be taken for this one's. */
  static begin(path: string): Promise<RejectedRows> {
    return writing(path, async () => {
      await rm(path, { force: true })
      return new RejectedRows(path, 0)
    })
  }

  /**
   * Goes on after so many bytes: what was written after the checkpoint will be written again. Where somebody has taken the
   * file away or cut it, it goes on after what is there.
   */
  static resume(path: string, length: number): Promise<RejectedRows> {
    if (length === 0) return RejectedRows.begin(path)
    return writing(path, async () => {
      const file = await open(path, 'a')
      const rows = new RejectedRows(path, Math.min(length, (await file.stat()).size))
      rows.#file = file
      await file.truncate(rows.length)
      return rows
    })
  }

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  /** On the disk when it resolves: the checkpoint that counts on it is written after it. */
  async add(rows: readonly BatchRow[]): Promise<void> {
    const lines = rows.flatMap(({ row, text, prepared }) =>
      prepared.kind === 'rejected' ? [`${JSON.stringify({ row, reason: prepared.reason, text })}\n`] : [],
    )
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    await writing(this.path, async () => {
      this.#file ??= await open(this.path, 'a')
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
    })
    this.#length += bytes.length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
    this.#file = null
  }
}

async function writing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new UnwritableFile(`rejected rows cannot be written to ${path}: ${(error as Error).message}`)
  }
}
