import { parentPort } from 'node:worker_threads'
import type { DocumentChunk } from '../../store/store.ts'
import { scanChunk } from './scan.ts'

/**
 * Scans one chunk after the other; see scan-thread.ts. Everything is handed over, nothing copied.
 */
parentPort!.on('message', (chunk: DocumentChunk) => {
  const scanned = scanChunk(chunk)
  const { bytes, ends, checksums, columns, words } = scanned
  const { postings, vocabulary } = words
  const ofWords = [postings.words, postings.starts, postings.bytes, vocabulary.bytes, vocabulary.ends]
  const arrays = [bytes, ends, checksums, ...Object.values(columns.arrays), ...ofWords]
  const buffers = arrays.map(({ buffer }) => buffer as ArrayBuffer)
  parentPort!.postMessage(scanned, [...new Set(buffers)])
})
