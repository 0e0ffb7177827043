import { conformance } from './conformance/conformance.ts'
import { emptyMemory, migratedSqlite } from './empty-database.ts'

conformance('SQLite', migratedSqlite)
conformance('SQLite in memory', emptyMemory)
