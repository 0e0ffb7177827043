/** Runs one suite in this process and sends its rows to the parent. */
import type { Row } from './row.ts'

const { run } = (await import(process.argv[2]!)) as { run: () => Promise<Row[]> }
process.send!(await run())
process.disconnect!()
