import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './app.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './receivers.ts'
import { requireSlowTier } from './tier.ts'

const run = promisify(execFile)
const SAMPLES = join(import.meta.dirname, '../../deploy/nginx')
/** Debian has it where users have no PATH. */
const NGINX = ['/usr/sbin/nginx', 'nginx']
export const SERVER_NAME = 'feed.example.org'

/** nginx with the sample configuration, in front of a service. */
export interface Nginx extends AsyncDisposable {
  /** `https://feed.example.org:<port>`; the name is not in the DNS. */
  readonly url: string
  readonly port: number
  /** The port that answers http. */
  readonly plainPort: number
  /** The certificate, which is its own authority. */
  readonly certificate: string
  readonly certificateFile: string
  readonly pid: number
}

export interface NginxOptions {
  /** The host name of the certificate, besides the sample's own. */
  readonly host?: string
  /** The port that is told of corrections, if this is the sample that keeps answers. */
  readonly purgePort?: number
  /** Changes the sample, to see a test fail. */
  readonly change?: (sample: string) => string
}

/** Returns the reason as a string if there is no nginx here. */
export async function startNginx(servicePort: number, options: NginxOptions = {}): Promise<Nginx | string> {
  requireSlowTier('nginx')
  const program = await findNginx()
  if (program === null) return 'nginx is not installed (Debian: apt-get install nginx-light)'
  const folder = await temporaryFolder()
  const [port, plainPort] = [await freePort(), await freePort()]
  const { certificateFile, keyFile } = await makeCertificate(folder.path, options.host)
  const { purgePort } = options
  const sample = await readFile(join(SAMPLES, `incident-feed${purgePort === undefined ? '' : '-cached'}.conf`), 'utf8')
  const site = replaceEach((options.change ?? ((text) => text))(sample), [
    ['server 127.0.0.1:8080 ', `server 127.0.0.1:${servicePort} `],
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/letsencrypt/live/feed.example.org/fullchain.pem', certificateFile],
    ['/etc/letsencrypt/live/feed.example.org/privkey.pem', keyFile],
    ...(purgePort === undefined ? [] : cacheReplacements(folder.path, purgePort)),
  ])
  await writeFile(join(folder.path, 'site.conf'), site)
  await writeFile(join(folder.path, 'nginx.conf'), mainConfiguration(folder.path))
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi', 'cache']) await mkdir(join(folder.path, name))
  const words = ['-p', folder.path, '-c', 'nginx.conf', '-e', join(folder.path, 'error.log')]
  await run(program, ['-t', ...words])
  const child = spawn(program, words, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await until(() => answers(port), 'nginx')
  return {
    url: `https://${SERVER_NAME}:${port}`,
    port,
    plainPort,
    certificate: await readFile(certificateFile, 'utf8'),
    certificateFile,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await folder[Symbol.asyncDispose]()
    },
  }
}

function cacheReplacements(folder: string, purgePort: number): [string, string][] {
  return [
    ['proxy_cache_path /var/cache/nginx/incident-feed/kept', `proxy_cache_path ${folder}/cache/kept`],
    ['root /var/cache/nginx/incident-feed;', `root ${folder}/cache;`],
    ['listen 127.0.0.1:8079;', `listen 127.0.0.1:${purgePort};`],
    ['proxy_pass http://127.0.0.1:8079/kept/;', `proxy_pass http://127.0.0.1:${purgePort}/kept/;`],
  ]
}

/** Debian has it where users have no PATH. */
const PGBOUNCER = '/usr/sbin/pgbouncer'
/** Like PostgreSQL, it refuses to run as root. */
const NOBODY_UID = 65_534
const USER = userInfo().uid === 0 ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}

/** PgBouncer with its defaults before a PostgreSQL server. */
export interface PgBouncer extends AsyncDisposable {
  /** The address of a database of that server, through it. */
  through(databaseUrl: string): string
  readonly log: () => string
}

/** Returns the reason as a string if there is no PgBouncer here. */
export async function startPgBouncer(
  serverUrl: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer | string> {
  requireSlowTier('PgBouncer')
  if (!existsSync(PGBOUNCER)) return 'PgBouncer is not installed (Debian: apt-get install pgbouncer)'
  const folder = await temporaryFolder()
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const port = await freePort()
  const file = join(folder.path, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 1000
`,
  )
  await chmod(folder.path, 0o755)
  const child = spawn(PGBOUNCER, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...USER })
  let log = ''
  child.stderr!.on('data', (chunk) => {
    log += chunk
  })
  const exited = once(child, 'exit')
  await until(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`)
    return answers(port)
  }, 'PgBouncer')
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function findNginx(): Promise<string | null> {
  for (const program of NGINX) {
    const found = await run(program, ['-v']).catch(() => null)
    if (found !== null) return program
  }
  return null
}

function mainConfiguration(folder: string): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `
${user}
daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
}
`
}

async function makeCertificate(folder: string, host?: string) {
  const [certificateFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  const names = [`DNS:${SERVER_NAME}`, ...(host === undefined ? [] : [`DNS:${host}`])].join(',')
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '90']
  const subject = ['-subj', `/CN=${SERVER_NAME}`, '-addext', `subjectAltName=${names}`]
  await run('openssl', ['req', ...kind, ...subject, '-keyout', keyFile, '-out', certificateFile])
  return { certificateFile, keyFile }
}

/**
 * Each must occur exactly once: else the sample that is tested would not be the one in the file.
 */
function replaceEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    const parts = changed.split(from)
    if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} occurs ${parts.length - 1} times in the sample`)
    return parts.join(to)
  }, text)
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Unpacked here if the machine has none: the package itself would also start a server. */
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/promtool')

let found: string | null = null

/** Returns why there is no `promtool`, or null if there is one. Downloads Debian's if needed. */
export function promtoolMissing(): string | null {
  requireSlowTier('promtool')
  const places = [process.env.PROMTOOL ?? '/usr/bin/promtool', join(UNPACKED, 'usr/bin/promtool')]
  found = places.find((path) => existsSync(path)) ?? null
  if (found !== null) return null
  try {
    unpackPackage()
  } catch (error) {
    return `there is no promtool at ${places[0]}, and apt-get could not download it (${(error as Error).message.trim().replaceAll(/\s*\n\s*/g, '; ')}); install Debian's prometheus, or set PROMTOOL to its path`
  }
  found = places[1]!
  return null
}

export interface PromtoolResult {
  readonly ok: boolean
  readonly output: string
}

/** Runs `promtool`; only where `promtoolMissing` has returned null. */
export function promtool(args: readonly string[], input = ''): PromtoolResult {
  const { status, stdout, stderr } = spawnSync(found!, args, { input, encoding: 'utf8', timeout: 60_000 })
  return { ok: status === 0, output: stdout + stderr }
}

/**
 * Test files run at the same time: each unpacks a folder of its own, and the first gives it its
 * name.
 */
function unpackPackage(): void {
  mkdirSync(dirname(UNPACKED), { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  try {
    execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: 'pipe', timeout: 120_000 })
    const [file] = readdirSync(folder)
    execFileSync('dpkg-deb', ['-x', file!, 'package'], { cwd: folder, stdio: 'pipe', timeout: 60_000 })
    if (!existsSync(UNPACKED)) renameSync(join(folder, 'package'), UNPACKED)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
