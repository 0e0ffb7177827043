import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../domain/errors.ts'
import { lazy } from '../lib/memoize.ts'
import { writeCaching } from './caching.ts'
import { type Encoding, encodingFor } from './request.ts'

const FOLDER = join(import.meta.dirname, '../../web/dist')
/** The pages besides the map, by the scripts that they begin with. */
const ENTRIES = {
  desk: 'web/desk/main.tsx',
  console: 'web/console/main.tsx',
  signIn: 'web/sign-in/main.tsx',
  report: 'web/report/main.ts',
  alerts: 'web/alerts/main.ts',
  docs: 'web/docs/main.ts',
} as const
const MAP_ENTRY = 'web/map/main.tsx'
const SERVICE_WORKER = 'web/service-worker/main.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
}

interface Asset {
  readonly contentType: string
  readonly bytes: Readonly<Record<Encoding, Buffer>>
}

interface PageFiles {
  readonly script: string
  readonly styles: readonly string[]
  readonly preloads: readonly string[]
}

/** The built files in memory: about 2 MB, compressed by the build. Those of the map come first. */
export interface MapAssets extends PageFiles, Readonly<Record<keyof typeof ENTRIES, PageFiles>> {
  readonly serviceWorker: string
  /** By path, such as `/assets/main-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, Asset>
}

/** Read once: every service of a process serves the same. */
export const builtMapAssets = lazy(() => readMapAssets(FOLDER))

type Manifest = Readonly<Record<string, { file: string; css?: string[]; imports?: string[] }>>

/** Null if the pages have not been built, or a build of an earlier version lacks one of them. */
export function readMapAssets(folder: string): MapAssets | null {
  const manifest = readManifest(folder)
  const needed = [MAP_ENTRY, ...Object.values(ENTRIES), SERVICE_WORKER]
  if (manifest === null || needed.some((name) => manifest[name] === undefined)) return null
  const names = readdirSync(join(folder, 'assets')).filter((name) => Object.hasOwn(CONTENT_TYPES, extname(name)))
  const pages = Object.entries(ENTRIES).map(([name, entry]) => [name, filesOf(entry, manifest)])
  return {
    ...filesOf(MAP_ENTRY, manifest),
    ...(Object.fromEntries(pages) as Record<keyof typeof ENTRIES, PageFiles>),
    serviceWorker: `/${manifest[SERVICE_WORKER]!.file}`,
    files: new Map(names.map((name) => [`/assets/${name}`, readAsset(join(folder, 'assets', name))])),
  }
}

function filesOf(name: string, manifest: Manifest): PageFiles {
  const { file, css = [], imports = [] } = manifest[name]!
  const shared = imports.map((each) => manifest[each]!)
  return {
    script: `/${file}`,
    styles: [...shared.flatMap((each) => each.css ?? []), ...css].map((style) => `/${style}`),
    preloads: shared.map((each) => `/${each.file}`),
  }
}

function readManifest(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readAsset(path: string): Asset {
  return {
    contentType: CONTENT_TYPES[extname(path)]!,
    bytes: { identity: readFileSync(path), br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) },
  }
}

export function mapAssetRoutes(server: FastifyInstance, { mapAssets }: { readonly mapAssets: MapAssets | null }): void {
  server.get('/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = mapAssets?.files.get(`/assets/${request.params.name}`)
    if (asset === undefined) throw new Problem('not_found', 'There is no such file.')
    const encoding = encodingFor(request.headers['accept-encoding'], asset.bytes.identity.length)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    writeCaching(request, reply, { kind: 'assets', vary: 'Accept-Encoding' })
    return reply.header('content-type', asset.contentType).send(asset.bytes[encoding])
  })
}
