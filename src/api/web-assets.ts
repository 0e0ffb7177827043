import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../domain/errors.ts'
import { type Encoding, encodingFor } from './request.ts'

const FOLDER = join(import.meta.dirname, '../../web/dist')
const ENTRY = 'web/map/main.tsx'
const DESK_ENTRY = 'web/desk/main.tsx'
const CONSOLE_ENTRY = 'web/console/main.tsx'
const SIGN_IN_ENTRY = 'web/sign-in/main.tsx'
const REPORT_ENTRY = 'web/report/main.ts'
const ALERTS_ENTRY = 'web/alerts/main.ts'
const DOCS_ENTRY = 'web/docs/main.ts'
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

/** The files that one page begins with. */
interface PageFiles {
  /** The path of the entry script. */
  readonly script: string
  readonly styles: readonly string[]
  /** The scripts that the entry script imports. */
  readonly preloads: readonly string[]
}

/** The built files in memory: about 2 MB, compressed by the build. Those of the map come first. */
export interface MapAssets extends PageFiles {
  readonly desk: PageFiles
  readonly console: PageFiles
  readonly signIn: PageFiles
  readonly report: PageFiles
  readonly alerts: PageFiles
  readonly docs: PageFiles
  /** The path of the built service worker. */
  readonly serviceWorker: string
  /** By path, such as `/assets/main-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, Asset>
}

type Manifest = Readonly<Record<string, { file: string; css?: string[]; imports?: string[] }>>

/** Null if the pages have not been built, or a build of an earlier version lacks one of them. */
export function readMapAssets(folder = FOLDER): MapAssets | null {
  const manifest = readManifest(folder)
  const needed = [
    ENTRY,
    DESK_ENTRY,
    CONSOLE_ENTRY,
    SIGN_IN_ENTRY,
    REPORT_ENTRY,
    ALERTS_ENTRY,
    DOCS_ENTRY,
    SERVICE_WORKER,
  ]
  if (manifest === null || needed.some((name) => manifest[name] === undefined)) return null
  const names = readdirSync(join(folder, 'assets')).filter((name) => Object.hasOwn(CONTENT_TYPES, extname(name)))
  return {
    ...filesOf(ENTRY, manifest),
    desk: filesOf(DESK_ENTRY, manifest),
    console: filesOf(CONSOLE_ENTRY, manifest),
    signIn: filesOf(SIGN_IN_ENTRY, manifest),
    report: filesOf(REPORT_ENTRY, manifest),
    alerts: filesOf(ALERTS_ENTRY, manifest),
    docs: filesOf(DOCS_ENTRY, manifest),
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

/** Immutable, because a file's name changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

export function mapAssetRoutes(server: FastifyInstance, { mapAssets }: { readonly mapAssets: MapAssets | null }): void {
  server.get('/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = mapAssets?.files.get(`/assets/${request.params.name}`)
    if (asset === undefined) throw new Problem('not_found', 'There is no such file.')
    const encoding = encodingFor(request.headers['accept-encoding'], asset.bytes.identity.length)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .headers({ 'content-type': asset.contentType, 'cache-control': IMMUTABLE, vary: 'Accept-Encoding' })
      .send(asset.bytes[encoding])
  })
}
