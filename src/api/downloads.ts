import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Archive } from '../archive/archive.ts'
import { monthTag } from '../domain/cache-tags.ts'
import { Problem } from '../domain/errors.ts'
import { sliceChunks } from '../downloads/chunks.ts'
import { GzipFiles } from '../downloads/month-file-cache.ts'
import {
  FILE_FORMATS,
  type FileFormat,
  type MonthEntry,
  MonthFiles,
  type MonthFile as StoredFile,
} from '../downloads/month-files.ts'
import { FORMATS } from '../filter/listing.ts'
import { isOneOf } from '../filter/parameters.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import { type Month, monthText, readMonth } from '../lib/calendar.ts'
import { writeCaching } from './caching.ts'
import { endpointsOf } from './contract/endpoint.ts'
import { Flag, NamedObject, Nullable, Text } from './contract/schema.ts'
import { meta } from './incidents/contract.ts'
import { acceptsGzip, QueryClient } from './request.ts'
import { inTurn, matchesEtag, sendBytes, stampedBody } from './response.ts'
import type { Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Archive', scope: 'read' })

const MonthFile = (name: string) =>
  Type.Object({
    url: Type.String({ format: 'uri-reference', description: `The address, such as \`/v1/archive/2024-05.${name}\`.` }),
    bytes: Nullable(Type.Integer({ minimum: 0 })),
    sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The hash of the uncompressed file.' })),
  })

const Part = Type.Unsafe<string>({ description: 'A part of the file.' })

NamedObject('ArchiveMonth', {
  month: Text('The month of `published_at` (UTC), such as `2024-05`.'),
  incidents: Type.Integer({ minimum: 1 }),
  files: Type.Object({ ndjson: MonthFile('ndjson'), csv: MonthFile('csv'), geojson: MonthFile('geojson') }),
})

const listMonths = endpoint('listMonths', 'GET /v1/archive', {
  summary: 'List the months of the archive',
  description:
    'Lists months that have incidents, newest first. A past month changes only when one of its incidents does. Sizes and hashes that are still being computed ' +
    'are `null`, and `complete` is then `false`: retry in a few seconds.',
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'All months.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('ArchiveMonth')),
      complete: Flag('Whether every size and hash is known.'),
      meta,
    }),
  },
})

const downloadMonth = endpoint('downloadMonth', 'GET /v1/archive/{file}', {
  sample: { file: '2026-05.csv' },
  summary: 'Download a month',
  description:
    'Every incident published in the month, oldest first, as NDJSON, CSV or GeoJSON. Resume an interrupted download with `Range` and `If-Range`; ' +
    'changes during a download do not affect it.',
  pathParameters: { file: 'The month and the format, such as `2024-05.ndjson`, `2024-05.csv` or `2024-05.geojson`.' },
  requestHeaders: ['Range', 'If-Range', 'If-None-Match'],
  response: {
    status: 200,
    description: 'The file.',
    schema: Text('One incident per line, as JSON.'),
    contentType: FORMATS.ndjson,
    alternatives: {
      [FORMATS.csv]: Text('RFC 4180, as in the list.'),
      [FORMATS.geojson]: Type.Object({}, { description: 'A FeatureCollection, as in the list, without paging.' }),
    },
    headers: {
      ETag: 'A strong validator. Send it as `If-None-Match` or `If-Range`.',
      'Accept-Ranges': '`bytes`: single ranges of the uncompressed file are supported.',
    },
  },
  otherResponses: [
    {
      status: 206,
      description: 'The requested range.',
      schema: Part,
      contentType: FORMATS.ndjson,
      alternatives: { [FORMATS.csv]: Part, [FORMATS.geojson]: Part },
      headers: { 'Content-Range': 'The range, such as `bytes 0-99/1234`.' },
    },
  ],
  problems: ['range_not_satisfiable'],
})

/** Wait for missing hashes: enough for most archives, and every answer comes within a second. */
const HASH_TIMEOUT_MS = 800

export function archiveRoutes(router: Router): void {
  let opened: MonthFiles | null = null
  const filesOf = (archive: Archive): MonthFiles => {
    opened ??= new MonthFiles(archive, router.environment.runtime)
    return opened
  }
  router.onClose(() => opened?.[Symbol.dispose]())

  router.add(listMonths, async ({ request, reply, services: { archive, freshness } }) => {
    const data = (await filesOf(archive).listMonths(HASH_TIMEOUT_MS)).map(monthResponse)
    const complete = data.every((month) => Object.values(month.files).every(({ sha256 }) => sha256 !== null))
    const body = stampedBody(`"data":${JSON.stringify(data)},"complete":${complete}`, archive.view, freshness.stamp)
    return sendBytes(request, reply, body, LAYOUTS.json.contentType)
  })

  router.add(downloadMonth, async ({ request, reply, parameters, services }) => {
    const { month, format } = parseFileName(parameters.file)
    const file = await filesOf(services.archive).openMonth(month, format)
    if (file === null) throw new Problem('not_found', `No incident was published in ${monthText(month)}.`)
    const name = `incidents-${monthText(month)}.${format}`
    return sendFile(request, reply, file, LAYOUTS[format].contentType, name, new QueryClient(request, reply).subject)
  })
}

function monthResponse({ month, incidents, files }: MonthEntry) {
  const file = (format: FileFormat) => ({
    url: `${listMonths.path}/${monthText(month)}.${format}`,
    bytes: files[format]?.bytes ?? null,
    sha256: files[format]?.sha256 ?? null,
  })
  return {
    month: monthText(month),
    incidents,
    files: { ndjson: file('ndjson'), csv: file('csv'), geojson: file('geojson') },
  }
}

function parseFileName(name: string): { month: Month; format: FileFormat } {
  const [first = '', format = '', ...more] = name.split('.')
  const month = readMonth(first)
  if (month !== null && isOneOf(FILE_FORMATS, format) && more.length === 0) return { month, format }
  throw new Problem(
    'not_found',
    `File names consist of month and format, such as 2024-05.${FILE_FORMATS.join(', 2024-05.')}; GET ${listMonths.path} lists them.`,
  )
}

/** Hexadecimal digits: 128 bits of the SHA-256, so that no two files share an ETag. */
const ETAG_CHARACTERS = 32

const gzipFiles = new GzipFiles(inTurn)

/** Streams a file, a range or gzip at the client's speed, with a few chunks in memory. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
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
    'accept-ranges': 'bytes',
  })
  writeCaching(request, reply, {
    kind: 'months',
    vary: 'Accept-Encoding',
    tags: [monthTag(/\d{4}-\d\d/.exec(name)![0])],
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

const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/**
 * Parses `Range` (RFC 9110). Null means the whole file, as the RFC allows for other units, several
 * ranges and malformed headers. `end` is excluded.
 */
export function parseRange(header: string | undefined, size: number) {
  const match = SINGLE_RANGE.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    return Number(suffix) === 0 ? ('unsatisfiable' as const) : { start: Math.max(0, size - Number(suffix)), end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? ('unsatisfiable' as const) : { start, end }
}

/** True if `If-Range` is missing or names exactly this file (strong comparison). */
export function ifRangeMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
