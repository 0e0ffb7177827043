import { conformance } from './conformance/conformance.ts'
import { emptyMemory, emptySqlite } from './empty-database.ts'

conformance('SQLite', emptySqlite)
conformance('SQLite in memory', emptyMemory)
