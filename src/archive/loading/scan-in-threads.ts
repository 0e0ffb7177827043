import { availableParallelism } from 'node:os'
import type { DocumentChunk } from '../../store/store.ts'
import { type ScannedChunk, scanChunk } from './scan-chunk.ts'
import { ScanThread } from './scan-thread.ts'

/** A smaller archive is scanned before a thread has started. */
const THREADS_FROM = 20_000
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
