import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../src/config/read-config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { parseSettings } from '../../src/config/settings-file.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const run = promisify(execFile)

/** The types of the API, by the module of kubernetes-types that has them. */
const MODULES = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
} as const

interface Manifest {
  readonly kind: keyof typeof MODULES
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: the compiler judges its form, below
  readonly spec: any
}

/** By a name that the compiler cannot look up: a clone with older dependencies lacks it. */
const YAML = 'yaml'

async function parse(file: string): Promise<unknown> {
  const yaml = (await import(YAML)) as { parse(text: string, options: object): unknown }
  // As kubectl reads it: 0440 is octal.
  return yaml.parse(readFileSync(join(FOLDER, file), 'utf8'), { version: '1.1' })
}

async function manifests(): Promise<Manifest[]> {
  const { resources } = (await parse('kustomization.yaml')) as { resources: string[] }
  return Promise.all(resources.map(async (file) => (await parse(file)) as Manifest))
}

/** The compiler refuses unknown fields, missing ones and wrong types; returns what it says. */
async function judged(all: readonly Manifest[]): Promise<string> {
  await using folder = await temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  const lines = all.map((each, index) => {
    const type = `import('kubernetes-types/${MODULES[each.kind]}').${each.kind}`
    return `export const m${index}: ${type} = ${JSON.stringify(each)}\n`
  })
  const file = join(folder.path, 'manifests.ts')
  writeFileSync(file, lines.join(''))
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--types',
    '',
    file,
  ]
  const { stdout } = await run(process.execPath, [TSC, ...options], { cwd: folder.path }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

test('the manifests are what the API of Kubernetes takes: no unknown field, none missing, none of another type', async () => {
  const all = await manifests()
  assert.deepEqual(all.map(({ kind }) => kind).sort(), Object.keys(MODULES).sort())
  assert.equal(await judged(all), '')
  const text = JSON.stringify(all)
  for (const [right, wrong, says] of [
    ['"readOnlyRootFilesystem"', '"readOnlyRootFilesytem"', /readOnlyRootFilesytem/],
    ['"replicas":2', '"replicas":"2"', /'string' is not assignable to type 'number'/],
    ['"template":', '"tempate":', /'?"?tempate/],
  ] as const) {
    assert.ok(text.includes(right), right)
    assert.match(await judged(JSON.parse(text.replace(right, wrong)) as Manifest[]), says)
  }
})

test('the pods run without rights, and stop within the time they are given', async () => {
  const all = await manifests()
  const { spec } = all.find(({ kind }) => kind === 'Deployment')!.spec.template
  const [container] = spec.containers
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  assert.equal(spec.securityContext.runAsNonRoot, true)
  assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' })
  const image = readFileSync(join(ROOT, 'deploy/container/Dockerfile'), 'utf8')
  assert.ok(image.includes(`USER ${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`))
  const stopSeconds = 10
  assert.ok(spec.terminationGracePeriodSeconds >= Number(SETTINGS.DRAIN_SECONDS.fallback) + stopSeconds)
  const { periodSeconds, failureThreshold, httpGet } = container.readinessProbe
  assert.ok(periodSeconds * failureThreshold < Number(SETTINGS.DRAIN_SECONDS.fallback), 'it sees the drain')
  assert.deepEqual([httpGet.path, container.livenessProbe.httpGet.path], ['/readyz', '/healthz'])
  // Selectors select these pods, and named ports are theirs.
  const { matchLabels } = all.find(({ kind }) => kind === 'Deployment')!.spec.selector
  const byKind = (kind: string) => all.find((each) => each.kind === kind)!.spec
  assert.deepEqual(byKind('Service').selector, matchLabels)
  assert.deepEqual(byKind('PodDisruptionBudget').selector.matchLabels, matchLabels)
  assert.deepEqual(byKind('NetworkPolicy').podSelector.matchLabels, matchLabels)
  const ports = container.ports.map(({ name }: { name: string }) => name)
  assert.ok(ports.includes(byKind('Service').ports[0].targetPort))
})

test('the settings are settings, in files that are mounted, with folders that can be written', async () => {
  const settings = parseSettings(readFileSync(join(FOLDER, 'settings'), 'utf8'), 'settings')
  for (const name of Object.keys(settings)) assert.ok(Object.hasOwn(SETTINGS, name), name)
  const { spec } = (await manifests()).find(({ kind }) => kind === 'Deployment')!.spec.template
  const [{ volumeMounts, env }] = spec.containers as [
    { volumeMounts: { name: string; mountPath: string }[]; env: object },
  ]
  const mounted = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]))
  assert.equal(mounted.get('settings'), '/etc/incident-feed')
  assert.equal(settings.CACHE_DIR, mounted.get('cache'))
  await using folder = await temporaryFolder()
  const secrets = { DATABASE_URL: 'postgres://feed:word@database/feed', SECRETS_KEY: TEST_SECRETS_KEY }
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(settings[`${name}_FILE`]!.startsWith(`${mounted.get('secrets')}/`))
    settings[`${name}_FILE`] = join(folder.path, name)
    writeFileSync(settings[`${name}_FILE`]!, value)
  }
  // The image has a database of its own, which goes before the file of settings.
  assert.deepEqual(env, [{ name: 'DATABASE_URL', value: '' }])
  assert.equal(readConfig(settings, []).DATABASE_URL, secrets.DATABASE_URL)
})

test('kustomize builds the base', async (context) => {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) return context.skip('kubectl is not installed')
  const { stdout } = await run('kubectl', ['kustomize', FOLDER])
  const name = /^ {2}name: (incident-feed-\w+)$/m.exec(stdout)?.[1]
  assert.ok(name, 'the settings have a name of their content')
  assert.match(stdout, new RegExp(`configMap:\\n\\s+name: ${name}`))
  assert.match(stdout, /image: incident-feed:\d/)
})
