import { conformance } from './conformance/conformance.ts'
import { emptyMemory, migratedSqlite } from './databases.ts'

conformance('SQLite', migratedSqlite)
conformance('SQLite in memory', emptyMemory)
