import { conformance } from './conformance.ts'
import { memoryHome, sqliteHome } from './home.ts'

conformance('SQLite', sqliteHome)
conformance('SQLite in memory', memoryHome)
