import { spawn } from 'node:child_process'
import { once } from 'node:events'

const SERVER = `require('node:http')
  .createServer((_, response) => response.end('well'))
  .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })`

/** A server that does nothing, in a process of its own. */
export async function startBare(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, ['--eval', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: url.toString().trim(),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.kill()
      await ended
    },
  }
}
