import { conformance } from './conformance/conformance.ts'
import { emptyMemory, migratedSqlite } from './databases.ts'

conformance('SQLite', migratedSqlite)
// Each of the quick tests runs on one in memory, and so does the simulator.
if (process.env.TEST_TIER === 'all') conformance('SQLite in memory', emptyMemory)
