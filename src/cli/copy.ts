import { ConfigError } from '../config/setting-kinds.ts'
import { copyStore, moveSecretsKey } from '../store/copy/copy.ts'
import { parseOptions } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `incident-feed copy --from sqlite:path/to.db --to postgres://user@host/database
incident-feed copy --from postgres://user@host/database --to sqlite:path/to.db

Stop the service first. The target must be empty; interrupted, the same command continues.`

/** A line for each so many rows, so that a log of a long copy stays readable. */
const ROWS_PER_LINE = 100_000

/** Copies a store into another database and compares every row. */
export async function copyCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { from, to } = parseOptions(args, { from: { type: 'string' }, to: { type: 'string' } }, USAGE)
  if (from === undefined || to === undefined) throw new ConfigError(`name both stores\n\n${USAGE}`)
  const number = new Intl.NumberFormat('en')
  const counted = new Map<string, number>()
  const { resumed, tables } = await copyStore(from, to, {
    onRows(step, table, rows) {
      const before = counted.get(`${step} ${table}`) ?? 0
      counted.set(`${step} ${table}`, before + rows)
      if (Math.floor(before / ROWS_PER_LINE) !== Math.floor((before + rows) / ROWS_PER_LINE))
        terminal.printError(`${table}: ${number.format(before + rows)} rows ${step}`)
    },
  })
  const width = Math.max(...[...tables.keys()].map((name) => name.length))
  for (const [name, { rows, checksum }] of tables)
    terminal.print(`${name.padEnd(width)} ${number.format(rows).padStart(11)} rows  ${checksum.slice(0, 16)}`)
  const total = [...tables.values()].reduce((sum, { rows }) => sum + rows, 0)
  terminal.print(
    `${resumed ? 'Continued and finished' : 'Copied'}: ${number.format(total)} rows in ${tables.size} tables, each read back and equal.`,
  )
  terminal.print(moveSecretsKey(from, to))
  terminal.print('Now start the service with DATABASE_URL set to the target, and do not start it on the source again.')
}
