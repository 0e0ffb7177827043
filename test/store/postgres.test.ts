import { conformance } from './conformance.ts'
import { postgresHome } from './home.ts'

conformance('PostgreSQL', postgresHome)
