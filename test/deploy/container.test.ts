import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config/read-config.ts'
import { SETTINGS } from '../../src/config/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const DOCKERFILE = read('deploy/container/Dockerfile')
const COMPOSE = read('deploy/container/compose.yaml')

test('everything that the image copies exists, and is not ignored', () => {
  const kept = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  for (const path of kept) assert.ok(globSync(path, { cwd: ROOT }).length > 0, path)
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '))
  assert.ok(copied.length > 4)
  for (const path of copied.filter((each) => each !== '.')) {
    assert.ok(existsSync(join(ROOT, path)), path)
    assert.ok(
      kept.some((pattern) => pattern === path || pattern.startsWith(`${path}/`)),
      `${path} is in .dockerignore`,
    )
  }
})

test('the image runs the command itself, as nobody, and is checked by /readyz', () => {
  const [entry] = /^ENTRYPOINT (.+)$/m.exec(DOCKERFILE)!.slice(1)
  const [, file] = JSON.parse(entry!) as [string, string]
  assert.ok(existsSync(join(ROOT, file.replace('/app/', ''))), file)
  const last = DOCKERFILE.split(/^FROM /m).at(-1)!
  assert.match(last, /^USER 10001:10001$/m)
  assert.match(last, /^HEALTHCHECK .*\/readyz/ms)
  assert.match(last, /^STOPSIGNAL SIGTERM$/m)
})

test('the settings of the image and of the compose file are settings, with values that they take', () => {
  const [, block] = /^ENV ((?:.+\\\n)*.+)$/m.exec(DOCKERFILE)!
  const inImage = [...block!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!] as const)
  const [, environment] = /\n {4}environment:\n((?: {6}.+\n)+)/.exec(COMPOSE)!
  const values = {
    POSTGRES_PASSWORD: 'x',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    DOMAIN: 'feed.example.org',
  }
  const filled = environment!.replaceAll(/\$\{(\w+):[-?][^}]*\}/g, (_, name: string) => values[name as 'DOMAIN'] ?? '')
  const inCompose = [...filled.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value]) => [name!, value!] as const)
  assert.deepEqual(
    inCompose.map(([name]) => name),
    ['DATABASE_URL', 'SECRETS_KEY', 'OPERATOR_KEY', 'PUBLIC_URL', 'TRUST_PROXY'],
  )
  const given = [...inImage, ...inCompose].filter(([name]) => name !== 'NODE_ENV')
  for (const [name] of given) assert.ok(Object.hasOwn(SETTINGS, name), name)
  const config = readConfig(Object.fromEntries(given), [])
  assert.equal(config.OPERATOR_KEY, null)
  assert.equal(config.TRUST_PROXY('172.18.0.3', 0), true)
})

test('what the compose file needs to be told is in the example, and empty', () => {
  const needed = new Set([...COMPOSE.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  const example = new Map(
    [...read('deploy/container/example.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  assert.deepEqual([...needed].sort(), [...example.keys()].sort())
  for (const name of ['POSTGRES_PASSWORD', 'SECRETS_KEY', 'OPERATOR_KEY']) assert.equal(example.get(name), '')
})
