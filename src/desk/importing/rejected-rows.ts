import { type FileHandle, open, rm } from 'node:fs/promises'
import type { BatchRow } from './prepare-row.ts'

export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile'
}

/** Rejected rows may name people who are not published. */
const OWNER_ONLY = 0o600

/** One JSON document per line: `row`, `reason`, and the `text` of the row. */
export class RejectedRows implements AsyncDisposable {
  readonly path: string
  #length: number
  #file: FileHandle | null = null

  private constructor(path: string, length: number) {
    this.path = path
    this.#length = length
  }

  /** Deletes the file of an earlier import, so that its rows are not mixed with these. */
  static begin(path: string): Promise<RejectedRows> {
    return withWriteErrors(path, async () => {
      await rm(path, { force: true })
      return new RejectedRows(path, 0)
    })
  }

  /**
   * Continues after `length` bytes, or at the end of a shorter file: rows written after the
   * checkpoint will be written again.
   */
  static resume(path: string, length: number): Promise<RejectedRows> {
    if (length === 0) return RejectedRows.begin(path)
    return withWriteErrors(path, async () => {
      const file = await open(path, 'a', OWNER_ONLY)
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

  /** Resolves when the rows are on disk: the checkpoint that includes them is written later. */
  async addRows(rows: readonly BatchRow[]): Promise<void> {
    const lines = rows.flatMap(({ row, text, prepared }) =>
      prepared.kind === 'rejected' ? [`${JSON.stringify({ row, reason: prepared.reason, text })}\n`] : [],
    )
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    await withWriteErrors(this.path, async () => {
      this.#file ??= await open(this.path, 'a', OWNER_ONLY)
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

async function withWriteErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new UnwritableFile(`cannot write rejected rows to ${path}: ${(error as Error).message}`)
  }
}
