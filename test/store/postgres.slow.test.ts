import { conformance } from './conformance/conformance.ts'
import { emptyPostgres } from './empty-database.ts'

conformance('PostgreSQL', emptyPostgres)
