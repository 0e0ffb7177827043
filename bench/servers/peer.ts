/**
 * A handwritten alternative by a good developer: Fastify and SQL, a pool, prepared statements, an
 * index for every query, and documents stored as text that only needs joining. Returns the same
 * lists as our service and nothing else: no keys, rate limits, validation or ETags. Arguments: the
 * database URL, and whether pages are joined from text or go through objects, as most would write
 * it.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { SEVERITIES, type Severity } from '../../src/domain/taxonomy.ts'
import { answerParent, usageOfThis } from '../harness/child.ts'
import { clockAtEndOfData } from '../harness/data.ts'
import { cpuSeconds } from '../harness/processor-time.ts'

const DAY = 86_400_000
/** The fastest of 4, 8 and 16 on two cores. */
const CONNECTIONS = 8

/** The fastest level, which is also the default of nginx. */
const GZIP_LEVEL = 1
const compress = promisify(gzip)

const STATEMENTS = {
  newest: `
    SELECT id, document FROM incidents
    ORDER BY published_at DESC, id DESC LIMIT $1`,
  after: `
    SELECT id, document FROM incidents
    WHERE (published_at, id) < (SELECT published_at, id FROM incidents WHERE id = $2)
    ORDER BY published_at DESC, id DESC LIMIT $1`,
  stateSince: `
    SELECT id, document FROM incidents
    WHERE state = $2 AND published_at >= $3
    ORDER BY published_at DESC, id DESC LIMIT $1`,
  fourFilters: `
    SELECT id, document FROM incidents
    WHERE state = $2 AND type = $3 AND severity >= $4 AND confidence >= $5
    ORDER BY published_at DESC, id DESC LIMIT $1`,
  box: `
    SELECT id, document
    FROM (
      SELECT published_at, id FROM incidents
      WHERE lng BETWEEN $2 AND $4 AND lat BETWEEN $3 AND $5
      ORDER BY published_at DESC, id DESC LIMIT $1
    ) AS page
    JOIN incidents USING (published_at, id)
    ORDER BY published_at DESC, id DESC`,
  one: 'SELECT id, document FROM incidents WHERE id = $1',
} as const

interface ListQuery {
  readonly limit: string
  readonly cursor?: string
  readonly state?: string
  readonly since?: string
  readonly type?: string
  readonly min_severity?: Severity
  readonly min_confidence?: string
  readonly bbox?: string
}

const clock = clockAtEndOfData()
const [databaseUrl, way] = process.argv.slice(2) as [string, 'text' | 'objects']
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, idleTimeoutMillis: 0 })
const server = Fastify()

server.get<{ Querystring: ListQuery }>('/v1/incidents', async (request, reply) => {
  const limit = Number(request.query.limit)
  const found = await rowsOf(...statementFor(request.query, limit + 1))
  const page = found.slice(0, limit)
  const cursor = found.length > limit ? page.at(-1)![0] : null
  const documents = page.map(([, document]) => document)
  return send(request, reply, way === 'objects' ? serialised(documents, cursor) : joined(documents, cursor))
})

server.get<{ Params: { id: string } }>('/v1/incidents/:id', async (request, reply) => {
  const [row] = await rowsOf('one', [request.params.id])
  return row === undefined ? reply.code(404).send({ error: 'not found' }) : send(request, reply, row[1])
})

function joined(documents: readonly string[], cursor: string | null): string {
  const rest = JSON.stringify({ has_more: cursor !== null, next_cursor: cursor, meta: meta() })
  return `{"data":[${documents.join(',')}],${rest.slice(1)}`
}

/** Parses and serialises, as a driver with a JSON column and a framework do. */
function serialised(documents: readonly string[], cursor: string | null): string {
  const data = documents.map((document) => JSON.parse(document))
  return JSON.stringify({ data, has_more: cursor !== null, next_cursor: cursor, meta: meta() })
}

function meta() {
  return { as_of: new Date(clock()).toISOString() }
}

async function send(request: FastifyRequest, reply: FastifyReply, body: string) {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (request.headers['accept-encoding'] !== 'gzip') return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(await compress(body, { level: GZIP_LEVEL }))
}

function statementFor(query: ListQuery, limit: number): [name: keyof typeof STATEMENTS, values: unknown[]] {
  if (query.bbox) return ['box', [limit, ...query.bbox.split(',')]]
  if (query.type) {
    const severity = SEVERITIES.indexOf(query.min_severity!)
    return ['fourFilters', [limit, query.state, query.type, severity, query.min_confidence]]
  }
  if (query.state) {
    const since = clock() - Number.parseInt(query.since!, 10) * DAY
    return ['stateSince', [limit, query.state, new Date(since)]]
  }
  return query.cursor ? ['after', [limit, query.cursor]] : ['newest', [limit]]
}

async function rowsOf(name: keyof typeof STATEMENTS, values: unknown[]): Promise<[id: string, document: string][]> {
  const { rows } = await pool.query({ name, text: STATEMENTS[name], values, rowMode: 'array' })
  return rows as [string, string][]
}

answerParent(
  { url: await server.listen({ port: 0, host: '127.0.0.1' }) },
  {
    async usage() {
      const own = usageOfThis()
      return { ...own, cpu: own.cpu + (await databaseMicroseconds()) }
    },
  },
)

/** Returns the processor time of the pool's backends in PostgreSQL. */
async function databaseMicroseconds(): Promise<number> {
  const { rows } = await pool.query(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`)
  return rows.reduce((total, { pid }) => total + cpuSeconds(pid) * 1e6, 0)
}
