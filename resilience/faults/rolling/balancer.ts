import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { freePort } from '../../harness/postgres/server.ts'
import { waitFor } from '../../harness/wait-for.ts'

const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/opt/homebrew/bin']
const NGINX_SAMPLE = new URL('../../../deploy/nginx/incident-feed.conf', import.meta.url)

/** A load balancer, as an operator would set it up from our documents. */
export interface BalancerKind {
  readonly name: 'nginx' | 'haproxy'
  /** Describes its configuration. */
  readonly title: string
  readonly words: (folder: string) => string[]
  configurationOf(folder: string, port: number, nodePorts: readonly number[]): Promise<string>
}

/** The site of `deploy/nginx`, without TLS and with several nodes. */
export const NGINX: BalancerKind = {
  name: 'nginx',
  title: 'nginx with the sample site',
  words: (folder) => ['-p', folder, '-c', join(folder, 'configuration'), '-e', join(folder, 'error.log')],
  async configurationOf(folder, port, nodePorts) {
    const sample = await readFile(NGINX_SAMPLE, 'utf8')
    const [head, , site] = sample.split(/^(?=server \{)/m)
    if (site === undefined) throw new Error('the sample for nginx has changed: it has no second server')
    const upstream = head!.replace(/server 127.0.0.1:8080 (.+);/, (_, parameters) =>
      nodePorts.map((node) => `server 127.0.0.1:${node} ${parameters};`).join(' '),
    )
    const plain = site
      .replaceAll(/^ *(listen \[::\]|ssl_).*;$/gm, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    for (const name of temporary) await mkdir(join(folder, name))
    return `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off;
      pid ${folder}/nginx.pid;
      worker_processes 1;
      events { worker_connections 4096; }
      http {
        access_log off;
        ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
        ${upstream}
        ${plain}
      }`
  },
}

/** Checks `/readyz` and has no other option: no retries of its own, no other intervals. */
export const HAPROXY: BalancerKind = {
  name: 'haproxy',
  title: 'HAProxy with check only',
  words: (folder) => ['-db', '-f', join(folder, 'configuration')],
  configurationOf: async (_, port, nodePorts) => `
global
    maxconn 4096
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend public
    bind 127.0.0.1:${port}
    default_backend nodes
backend nodes
    option httpchk GET /readyz
    option forwardfor
${nodePorts.map((node, number) => `    server node${number} 127.0.0.1:${node} check`).join('\n')}
`,
}

/** Null if it is not installed. */
export function installed({ name }: BalancerKind): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** The balancer as a process, before the nodes. */
export class Balancer implements AsyncDisposable {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: AsyncDisposable

  static async start(kind: BalancerKind, program: string, nodePorts: readonly number[]): Promise<Balancer> {
    const folder = await temporaryFolder()
    const port = await freePort()
    const text = await kind.configurationOf(folder.path, port, nodePorts)
    await writeFile(join(folder.path, 'configuration'), text)
    const child = spawn(program, kind.words(folder.path), { stdio: 'ignore' })
    process.on('exit', () => child.kill('SIGKILL'))
    const balancer = new Balancer(`http://127.0.0.1:${port}`, child, folder)
    const isUp = async () => {
      if (child.exitCode !== null) throw new Error(`${kind.name} exited with code ${child.exitCode}`)
      return await fetch(`${balancer.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await waitFor(isUp, kind.name)
    return balancer
  }

  private constructor(url: string, child: ChildProcess, folder: AsyncDisposable) {
    this.url = url
    this.#process = child
    this.#folder = folder
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit')
      this.#process.kill('SIGTERM')
      await ended
    }
    await this.#folder[Symbol.asyncDispose]()
  }
}
