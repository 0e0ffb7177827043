import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { sliceChunks } from '../../downloads/chunks.ts'
import { GzipFiles } from '../../downloads/month-file-cache.ts'
import type { MonthFile } from '../../downloads/month-files.ts'
import { acceptsGzip, inTurn } from '../requests/encoding.ts'
import { ifRangeMatches, parseRange } from '../requests/range.ts'
import { addToVary, matchesEtag } from './send-bytes.ts'

/** Hexadecimal digits: 128 bits of the SHA-256, so that no two files share an ETag. */
const ETAG_CHARACTERS = 32

const gzipFiles = new GzipFiles(inTurn)

/** Streams a file, a range or gzip at the client's speed, with a few chunks in memory. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: MonthFile,
  contentType: string,
  name: string,
  subject: string,
): FastifyReply {
  const { headers } = request
  const opaque = file.sha256.slice(0, ETAG_CHARACTERS)
  const plainEtag = `"${opaque}"`
  const gzipEtag = `"${opaque}-gzip"`
  const range = ifRangeMatches(headers['if-range']?.toString(), plainEtag)
    ? parseRange(headers.range, file.bytes)
    : null
  // A range counts uncompressed bytes; its position in the compressed file is unknown.
  const gzip = range === null && acceptsGzip(headers['accept-encoding'])
  reply.headers({
    etag: gzip ? gzipEtag : plainEtag,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    vary: addToVary(reply, 'Accept-Encoding'),
  })
  if ([plainEtag, gzipEtag].some((etag) => matchesEtag(headers['if-none-match'], etag))) return reply.status(304).send()
  if (range === 'unsatisfiable') throw unsatisfiable(file.bytes)
  reply.headers({ 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` })
  const { start, end } = range ?? { start: 0, end: file.bytes }
  if (range !== null) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${file.bytes}`)
  if (gzip) reply.header('content-encoding', 'gzip')
  else reply.header('content-length', end - start)
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(Readable.from(content(), { objectMode: false }))

  function content(): AsyncIterable<Uint8Array> {
    if (gzip) return gzipFiles.read(name, file.sha256, () => file.chunks(subject))
    return range === null ? file.chunks(subject) : sliceChunks(file.chunks(subject), start, end)
  }
}

function unsatisfiable(bytes: number): Problem {
  return new Problem('range_not_satisfiable', `The file has ${bytes} bytes, from 0 to ${bytes - 1}.`, {
    headers: { 'content-range': `bytes */${bytes}` },
  })
}
