import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { PREFIXES } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { indexedFieldsOf } from '../../filter/filter.ts'
import { checksum, viewOf } from '../../lib/bytes.ts'
import { moduleBeside } from '../../lib/concurrency.ts'
import type { DocumentChunk } from '../../store/store.ts'
import { type ColumnContents, Columns } from '../columns/columns.ts'
import { type ScannedWords, WordScanner } from '../words/word-index.ts'
import { FieldScanner } from './field-scanner.ts'

/** A smaller archive is scanned before a thread has started. */
export const THREADS_FROM = 20_000
/** More would wait for the database, which is read by one thread. */
const MOST_THREADS = 2
/** Chunks that are with each thread at the same time: it need not wait for the next one. */
const AHEAD = 2

/** Scans chunks in order, in threads of their own if there are many documents. */
export async function* scanInThreads(
  chunks: AsyncIterable<DocumentChunk>,
  threadsFrom = THREADS_FROM,
): AsyncGenerator<ScannedChunk> {
  await using running = new AsyncDisposableStack()
  const count = Math.min(MOST_THREADS, availableParallelism())
  const threads = Array.from({ length: count }, () => running.use(new ScanThread()))
  const waiting: Promise<ScannedChunk>[] = []
  let incidents = 0
  let number = 0
  for await (const chunk of chunks) {
    incidents += chunk.ends.length
    if (incidents < threadsFrom) {
      yield scanChunk(chunk)
      continue
    }
    const scanned = threads[number++ % count]!.scan(chunk)
    // It is awaited later: a rejection meanwhile must not end the process.
    scanned.catch(() => {})
    if (waiting.push(scanned) >= AHEAD * count) yield await waiting.shift()!
  }
  for (const scanned of waiting) yield await scanned
}

/** A thread that scans chunks, one after the other. It starts with the first. */
class ScanThread implements AsyncDisposable {
  #worker: Worker | null = null
  #error: unknown = null
  readonly #asked: PromiseWithResolvers<ScannedChunk>[] = []

  scan({ bytes, ends }: DocumentChunk): Promise<ScannedChunk> {
    if (this.#error !== null) return Promise.reject(this.#error)
    this.#worker ??= this.#start()
    // Only a buffer that has nothing else can be handed over; the `slice` of a `Buffer` would not
    // copy.
    const own = isWhole(bytes) ? bytes : new Uint8Array(bytes)
    const ownEnds = isWhole(ends) ? ends : new Uint32Array(ends)
    this.#worker.postMessage({ bytes: own, ends: ownEnds }, [own.buffer as ArrayBuffer, ownEnds.buffer as ArrayBuffer])
    const answer = Promise.withResolvers<ScannedChunk>()
    this.#asked.push(answer)
    return answer.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside('./scan-worker.ts', import.meta.url), { execArgv: [] })
    const fail = (error: unknown) => {
      this.#error = error
      for (const { reject } of this.#asked.splice(0)) reject(error)
    }
    worker.on('message', (scanned: ScannedChunk) => this.#asked.shift()!.resolve(scanned))
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that reads documents has ended')))
    return worker
  }
}

function isWhole({ byteLength, buffer }: Uint8Array | Uint32Array): boolean {
  return byteLength === buffer.byteLength
}

/** A chunk of documents with what the archive keeps of them. */
export interface ScannedChunk extends DocumentChunk {
  readonly checksums: Uint32Array
  readonly columns: ColumnContents
  readonly words: ScannedWords
}

/** Reads the fields and the words of all documents; the slots are numbered from 0. */
export function scanChunk({ bytes, ends }: DocumentChunk): ScannedChunk {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const view = viewOf(bytes)
  const columns = new Columns()
  columns.reserve(ends.length)
  const scanner = new FieldScanner(buffer, columns)
  const words = new WordScanner()
  const checksums = new Uint32Array(ends.length)
  let start = 0
  for (let slot = 0; slot < ends.length; slot++) {
    const end = ends[slot]!
    if (!scanner.scan(slot, start, end)) setParsed(columns, slot, buffer.toString('utf8', start, end))
    checksums[slot] = checksum(view, start, end)
    words.add(slot, bytes, start, end)
    start = end
  }
  return { bytes, ends, checksums, columns: columns.contents(ends.length), words: words.finish(ends.length) }
}

function setParsed(columns: Columns, slot: number, document: string): void {
  const incident = JSON.parse(document) as Incident
  columns.set(slot, incident.id.slice(PREFIXES.incident.length), indexedFieldsOf(incident))
}
