/**
 * Compares this checkout with a commit, on the same data and at the same time: rounds alternate
 * between the two, and a figure is the processor time of an answer or a delivery, of all threads.
 * Rates would depend on the load generator, which fills the other core.
 */
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Child, startChild } from '../harness/child.ts'
import { dataFile, removeDatabase } from '../harness/data.ts'
import { neverAskedBefore, ONE, ROTATED, someIds } from '../harness/listing-questions.ts'
import { loadFor, type Paths, type Server } from '../harness/load.ts'
import { checkOut } from './checkout.ts'
import { confirmationsOf, deliveriesOf } from './deliveries.ts'
import { type Difference, differenceOf, printDifferences } from './differences.ts'

const ROUNDS = 10
const SECONDS = 2

type Service = Child<{ url: string; key: string }>

export async function compareWith(commit: string, incidents: number): Promise<void> {
  using before = checkOut(commit)
  const { path } = await dataFile(incidents)
  const files = ['before', 'after'].map((name) => `${path}.${name}-${process.pid}`)
  try {
    copyFileSync(await dataReadableBy(before.bench, path, incidents), files[0]!)
    copyFileSync(path, files[1]!)
    const differences = [
      ...(await listingsOf(before.bench, files)),
      ...(await confirmationsOf(before.bench)),
      ...(await deliveriesOf(before.bench)),
      ...(await startsOf(before.bench, files)),
    ]
    printDifferences(before.commit, differences)
  } finally {
    for (const file of files) removeDatabase(file)
  }
}

/** An earlier build refuses a newer schema: it makes a file of its own, with its own store. */
export async function dataReadableBy(bench: URL, path: string, incidents: number): Promise<string> {
  const migrationsOf = (each: URL) => readdirSync(new URL('../src/store/sqlite/migrations/', each)).length
  if (migrationsOf(bench) === migrationsOf(new URL('../', import.meta.url))) return path
  const data: { dataFile: typeof dataFile } = await import(new URL('harness/data.ts', bench).href)
  return (await data.dataFile(incidents)).path
}

function serverOf(child: Service): Server {
  return { child, headers: { authorization: `Bearer ${child.hello.key}` } }
}

async function listingsOf(theirBench: URL, [theirFile, ourFile]: readonly string[]): Promise<Difference[]> {
  await using before = await startChild<Service['hello']>('servers/service.ts', [theirFile!], theirBench)
  await using after = await startChild<Service['hello']>('servers/service.ts', [ourFile!])
  const [theirs, ours] = [serverOf(before), serverOf(after)]
  const questions: [string, () => Paths][] = [
    ['a kept list', () => ONE],
    ['148 kept lists in turn', () => ROTATED],
    ['a list never asked for before', neverAskedBefore],
  ]
  const ids = await someIds(ours)
  questions.push(['one incident', () => ids])
  const differences: Difference[] = []
  for (const [name, paths] of questions) {
    console.error(`${name} …`)
    const [theirPaths, ourPaths] = [paths(), paths()]
    const measure = {
      before: async () => (await loadFor(theirs, theirPaths, SECONDS)).cpu,
      after: async () => (await loadFor(ours, ourPaths, SECONDS)).cpu,
    }
    differences.push(await differenceOf(name, measure, ROUNDS))
  }
  return differences
}

const STARTS = 5

/** From the start of the process until it is ready: without a saved archive, and with one. */
async function startsOf(theirBench: URL, [theirFile, ourFile]: readonly string[]): Promise<Difference[]> {
  console.error('starts …')
  const startOnce = async (file: string, bench: URL | undefined, saved: 'none' | 'kept'): Promise<number> => {
    const folder = `${file}.snapshot`
    if (saved === 'none') rmSync(folder, { recursive: true, force: true })
    await using service = await startChild('servers/service.ts', [file], bench)
    const { cpu } = await service.ask('usage', null)
    while (!existsSync(join(folder, 'manifest'))) await wait(100)
    return cpu
  }
  const differences: Difference[] = []
  for (const [name, saved] of [
    ['a first start', 'none'],
    ['a later start', 'kept'],
  ] as const) {
    const before = () => startOnce(theirFile!, theirBench, saved)
    const after = () => startOnce(ourFile!, undefined, saved)
    differences.push(await differenceOf(name, { before, after }, STARTS))
  }
  return differences
}
