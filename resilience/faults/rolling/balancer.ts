import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { freePort } from '../../harness/postgres/server.ts'
import { waitFor } from '../../harness/wait-for.ts'

const PROGRAMS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx']

/** Null if nginx is not installed. */
export function installedNginx(): string | null {
  return PROGRAMS.find((path) => existsSync(path)) ?? null
}

/** nginx before the nodes, with the settings that docs/scaling.md recommends. */
export class Balancer implements AsyncDisposable {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: AsyncDisposable

  static async start(program: string, nodePorts: readonly number[]): Promise<Balancer> {
    const folder = await temporaryFolder()
    const port = await freePort()
    await mkdir(join(folder.path, 'temporary'))
    const file = join(folder.path, 'nginx.conf')
    await writeFile(file, configurationOf(folder.path, port, nodePorts))
    const child = spawn(program, ['-p', folder.path, '-c', file, '-e', join(folder.path, 'error.log')], {
      stdio: 'ignore',
    })
    process.on('exit', () => child.kill('SIGKILL'))
    const balancer = new Balancer(`http://127.0.0.1:${port}`, child, folder)
    const isUp = async () => {
      if (child.exitCode !== null) throw new Error(`nginx exited with code ${child.exitCode}`)
      return await fetch(`${balancer.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await waitFor(isUp, 'nginx')
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

/** A read that a node does not answer is asked of the next one; a write is not asked twice. */
function configurationOf(folder: string, port: number, nodePorts: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  )
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${folder}/nginx.pid;
    worker_processes 1;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${temporary.join('\n      ')}
      upstream nodes {
        least_conn;
        ${nodePorts.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=1s;`).join('\n        ')}
        keepalive 64;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://nodes;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_connect_timeout 1s;
          proxy_read_timeout 60s;
          proxy_next_upstream error timeout http_502 http_503;
          proxy_max_temp_file_size 0;
        }
      }
    }
  `
}
