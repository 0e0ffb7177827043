import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { RETRY_DELAYS } from '../../src/domain/delivery/retry.ts'
import { newSecret, signatureHeaders } from '../../src/webhooks/send/sign.ts'

// The page tells people how to verify what we send them: its recipes are run as they stand.

const run = promisify(execFile)
const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const secret = newSecret(randomBytes)
const body = '{"event":"incident.created","watch":"Ẹ̀kọ́ “roads” 🚨"}'
const headers = signatureHeaders({ id: 'msg_01jd8z0c5x', sentAt: Date.now(), body }, [newSecret(randomBytes), secret])

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-page-'))
  await writeFile(join(folder, 'body.json'), body)
})
after(() => rm(folder, { recursive: true }))

function recipe(language: string, containing: string): string {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
  const found = blocks.find(([, name, text]) => name === language && text!.includes(containing))
  assert(found, `the page has no ${language} recipe with ${containing}`)
  return found[2]!
}

async function has(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  )
}

test('the recipe for openssl gives the signature', async (context) => {
  if (
    !(await run('openssl', ['version']).then(
      () => true,
      () => false,
    ))
  )
    return context.skip('there is no openssl here')
  const environment = {
    ...process.env,
    SECRET: secret,
    ID: headers['webhook-id'],
    TIMESTAMP: headers['webhook-timestamp'],
  }
  const { stdout } = await run('sh', ['-c', recipe('sh', 'openssl dgst')], { cwd: folder, env: environment })
  assert(headers['webhook-signature'].split(' ').includes(`v1,${stdout.trim()}`), stdout)
})

test('the recipe for Python takes what is right, and nothing else', async (context) => {
  if (!(await has('python3'))) return context.skip('there is no Python here')
  const verify = async (changes: object, text = body) => {
    const script = `${recipe('python', 'def verify')}
import json, sys
given = json.load(sys.stdin)
print(verify(given["secret"], given["headers"], given["body"].encode()))`
    const input = JSON.stringify({ secret, headers: { ...headers, ...changes }, body: text })
    const child = run('python3', ['-c', script])
    child.child.stdin!.end(input)
    return (await child).stdout.trim()
  }
  assert.equal(await verify({}), 'True')
  assert.equal(await verify({}, `${body} `), 'False')
  assert.equal(await verify({ 'webhook-timestamp': '1700000000' }), 'False')
})

test('the recipe for TypeScript is the package that the signatures are tested with', () => {
  assert.match(recipe('ts', 'Webhook'), /import \{ Webhook \} from 'standardwebhooks'/)
})

test('the page tells the retries as they are', () => {
  const words = RETRY_DELAYS.map((delay) => {
    const seconds = delay / 1000
    return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
  })
  assert(page.replaceAll('\n', ' ').includes(`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`), words.join(', '))
})
