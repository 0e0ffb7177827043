import { DATASET_NAME, NO_DATASET } from '../../../domain/incident.ts'
import { quote } from '../../parameter-values.ts'
import type { FilterInput } from './input.ts'

/**
 * Parses names of data sets. Any well-formed one is allowed: which there are depends on what was
 * imported.
 */
export function parseDatasets(input: FilterInput): readonly string[] | null {
  const names = input.list('dataset')?.map((name) => name.toLowerCase()) ?? null
  const wrong = names?.find((name) => name !== NO_DATASET && !DATASET_NAME.test(name))
  if (wrong !== undefined)
    return input.reject(
      'dataset',
      `${quote(wrong)} is not the name of a data set, such as ucdp or acled; ${NO_DATASET} is for incidents that were not imported`,
    )
  return names && [...new Set(names)].sort()
}
