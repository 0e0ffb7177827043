import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../harness/check.ts'
import { notRun, type Scenario, type ScenarioResult } from '../scenario.ts'
import { CopiedTree } from './copied-tree.ts'
import { findStaleEdits, type Sabotage, SEEDS, seedOf } from './sabotage.ts'
import { SABOTAGES } from './sabotages.ts'
import { noticedCheck, summarize } from './summary.ts'
import { PAUSE } from './table/store.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Two at a time: most of a proof is waiting. */
const CONCURRENCY = 2
const MUST_PASS_ATTEMPTS = 2

/** Applies each sabotage to a copy of the project and runs its proofs, one of which must fail. */
export async function runSabotages(sabotages: readonly Sabotage[]): Promise<ScenarioResult> {
  const stale = findStaleEdits(sabotages, (file) => readFileSync(join(ROOT, file), 'utf8'))
  if (stale.length > 0) return { setup: 'a copy', times: 0, counts: null, checks: stale.map(staleCheck) }
  const proofs = [...new Set(sabotages.flatMap((sabotage) => sabotage.proofs))]
  const baseline = await inParallel(
    proofs.filter((proof) => seedOf(proof) === null),
    checkUnsabotaged,
  )
  const missing = baseline.filter(({ observed }) => observed === 'NOT RUN')
  if (missing.length > 0) return notRun('a copy', missing.map(({ name }) => `${name} cannot run here`).join('; '))
  const seeds = new Set<string>()
  const check = (tree: CopiedTree, sabotage: Sabotage) => checkSabotage(tree, sabotage, seeds)
  const checks = baseline.every(({ passed }) => passed) ? await inParallel(sabotages, check) : []
  // Afterwards, because few of them notice everything.
  baseline.push(...(await inParallel([...seeds].sort(), checkUnsabotaged)))
  return summarize(namesOf(sabotages), [...baseline, ...checks])
}

/** A busy machine may fail a proof once. */
async function checkUnsabotaged(tree: CopiedTree, proof: string): Promise<Check> {
  for (let attempt = 1; ; attempt++) {
    const { passed, reason, output } = await tree.runProof(proof)
    console.error(`sabotage: ${proof} without sabotage: ${passed ? 'passed' : 'FAILED'}, ${reason}`)
    if (!passed) console.error(output)
    if (passed || attempt === MUST_PASS_ATTEMPTS)
      return { name: `the proof ${proof} passes without sabotage`, passed, observed: reason }
  }
}

/** Adds the seed that has noticed the sabotage, if it was one. */
async function checkSabotage(tree: CopiedTree, sabotage: Sabotage, seeds: Set<string>): Promise<Check> {
  const { name, edits, proofs } = sabotage
  const check = (passed: boolean, observed: string): Check => {
    console.error(`sabotage: ${name}: ${passed ? 'caught' : 'SURVIVED'}, ${observed}`)
    return noticedCheck(name, passed, observed)
  }
  const undo = await tree.apply(edits)
  try {
    // With the same edit, the proofs in processes show that it starts.
    if (proofs !== SEEDS && !(await tree.startsService()))
      return check(false, 'the service no longer starts, which proves nothing')
    for (const [index, proof] of proofs.entries()) {
      const { passed, reason, hasCrashed = false } = await tree.runProof(proof)
      if (passed) continue
      const seed = seedOf(proof)
      if (seed !== null) seeds.add(proof)
      const by = seed === null ? proof : `seed ${seed}, after ${index + 1} of ${proofs.length}`
      return check(!hasCrashed, `${by}: ${hasCrashed ? 'crashed, which proves nothing: ' : ''}${reason}`)
    }
    return check(false, `survived ${proofs === SEEDS ? `${SEEDS.length} seeds` : proofs.join(', ')}`)
  } finally {
    await undo()
  }
}

function staleCheck(sentence: string): Check {
  return { name: 'every sabotage can be applied', passed: false, observed: sentence }
}

/** Each worker has its own copy. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (tree: CopiedTree, item: Item) => Promise<Check>,
): Promise<Check[]> {
  const checks: Check[] = []
  let next = 0
  const worker = async () => {
    await using tree = await CopiedTree.create()
    while (next < items.length) {
      const index = next++
      checks[index] = await work(tree, items[index]!)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return checks
}

function sabotageScenario(description: string, table: readonly Sabotage[]): Scenario {
  return {
    description,
    rounds: 1,
    onlyByName: true,
    run: async (_, { only }) => [await runSabotages(only === undefined ? table : named(table, only))],
    merge: (earlier, part) => [
      summarize(
        namesOf(table),
        [...earlier, ...part].flatMap(({ checks }) => checks),
      ),
    ],
  }
}

export const sabotage = sabotageScenario('deliberate defects, each of which some proof must notice', SABOTAGES)

export const simulatedSabotage = sabotageScenario(
  'deliberate defects, each of which some seed of the simulation must notice',
  SABOTAGES.filter(({ beyondSimulation }) => beyondSimulation === undefined).map((row) => ({
    ...row,
    edits: row.edits.map((edit) => ({ ...edit, replace: edit.replace.replace(PAUSE, '') })),
    proofs: SEEDS,
  })),
)

function namesOf(sabotages: readonly Sabotage[]): string[] {
  return sabotages.map(({ name }) => name)
}

function named(table: readonly Sabotage[], texts: string): readonly Sabotage[] {
  const parts = texts.split(',')
  const unknown = parts.find((part) => !table.some(({ name }) => name.includes(part)))
  if (unknown !== undefined) throw new Error(`no sabotage has ${JSON.stringify(unknown)} in its name`)
  return table.filter(({ name }) => parts.some((part) => name.includes(part)))
}
