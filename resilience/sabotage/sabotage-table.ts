import type { RecordedRun } from '../recorded-run.ts'
import { SABOTAGES } from './sabotages.ts'
import { observedOf } from './summary.ts'

/** A row for each sabotage: the test and the seed that noticed it, as far as they were run. */
export function sabotageRows(runs: readonly RecordedRun[]): readonly (readonly string[])[] {
  const checksOf = (name: string) =>
    runs.filter(({ scenario }) => scenario === name).flatMap(({ results }) => results.flatMap(({ checks }) => checks))
  const [byTest, bySeed] = [checksOf('sabotage'), checksOf('simulated-sabotage')]
  if (byTest.length + bySeed.length === 0) return []
  const rows = SABOTAGES.map(({ name, beyondSimulation }) => [
    name,
    observedOf(byTest, name),
    beyondSimulation === undefined ? observedOf(bySeed, name) : `beyond it: ${beyondSimulation}`,
  ])
  return [['defect', 'noticed by test', 'noticed by seed'], Array(3).fill('---'), ...rows]
}
