/**
 * Compares this checkout with a commit, on the same data and at the same time: rounds alternate
 * between the two, and a figure is the processor time of an answer or a delivery, of all threads.
 * Rates would depend on the load generator, which fills the other core.
 */
import { copyFileSync } from 'node:fs'
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts'
import { type Child, startChild } from '../harness/child.ts'
import { dataFile, removeDatabase } from '../harness/data.ts'
import { neverAskedBefore, ONE, ROTATED, someIds } from '../harness/listing-questions.ts'
import { loadFor, type Paths, type Server } from '../harness/load.ts'
import { checkOut } from './checkout.ts'
import { deliveriesOf } from './deliveries.ts'
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
    await using theirs = await startChild<Service['hello']>('servers/service.ts', [files[0]!], before.bench)
    await using ours = await startChild<Service['hello']>('servers/service.ts', [files[1]!])
    const differences = await listings(serverOf(theirs), serverOf(ours))
    printDifferences(before.commit, [...differences, ...(await deliveriesOf(before.bench))])
  } finally {
    for (const file of files) removeDatabase(file)
  }
}

/** An earlier build refuses a newer schema: it makes a file of its own, with its own store. */
async function dataReadableBy(bench: URL, path: string, incidents: number): Promise<string> {
  const theirs: { MIGRATIONS: typeof MIGRATIONS } = await import(new URL('../src/store/sqlite/migrate.ts', bench).href)
  if (theirs.MIGRATIONS.length === MIGRATIONS.length) return path
  const data: { dataFile: typeof dataFile } = await import(new URL('harness/data.ts', bench).href)
  return (await data.dataFile(incidents)).path
}

function serverOf(child: Service): Server {
  return { child, headers: { authorization: `Bearer ${child.hello.key}` } }
}

async function listings(theirs: Server, ours: Server): Promise<Difference[]> {
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
