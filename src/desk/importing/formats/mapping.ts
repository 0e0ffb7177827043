import { PRECISIONS, TIME_PRECISIONS } from '../../../domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { FIELDS, type Field, type FieldReader, isField } from './column-map.ts'
import { type Mapping, UnreadableFile } from './format.ts'
import { oneOf } from './incident/field-checks.ts'

const ANY_VALUE = '*'

/** Identify a row: one value for all would make one incident of the whole file. */
const NEVER_CONSTANT: readonly string[] = ['id', 'source_id']

const CHOICES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  type: TYPE_NAMES,
  severity: SEVERITIES,
  precision: PRECISIONS,
  time_precision: TIME_PRECISIONS,
}

/** Throws `UnreadableFile` if a field does not exist, or cannot have a value that it is given. */
export function checkMapping({ values, constants }: Mapping): void {
  for (const [field, value] of constants) {
    checkValue(field, value, `--constant ${field}=${value}`)
    if (NEVER_CONSTANT.includes(field))
      throw new UnreadableFile(`--constant ${field}=${value}: every row would be the same incident`)
  }
  for (const [field, pairs] of values) {
    for (const [theirs, ours] of pairs) checkValue(field, ours, `--value ${field}:${theirs}=${ours}`)
  }
}

function checkValue(field: string, value: string, said: string): void {
  const unknownField = oneOf(FIELDS)(field)
  if (unknownField !== null) throw new UnreadableFile(`${said}: the field ${unknownField}`)
  const choices = CHOICES[field as Field]
  const fault = choices === undefined || value === '' ? null : oneOf(choices)(value)
  if (fault !== null) throw new UnreadableFile(`${said}: the value ${fault}`)
}

/** A reader of the mapped values over one of the file's own. */
export function mappedReader(get: FieldReader, { values, constants }: Mapping): FieldReader {
  if (values.size === 0 && constants.size === 0) return get
  return (field) => {
    const constant = constants.get(field)
    if (constant !== undefined) return constant
    const text = get(field)
    const pairs = values.get(field)
    return pairs === undefined ? text : (pairs.get(text.toLowerCase()) ?? pairs.get(ANY_VALUE) ?? text)
  }
}

export function constantFields({ constants }: Mapping): Field[] {
  return [...constants.keys()].filter(isField)
}
