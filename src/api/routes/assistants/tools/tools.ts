import type { Tool } from '../tool.ts'
import { areaSummary } from './area-summary.ts'
import { getIncident } from './get-incident.ts'
import { locate } from './locate.ts'
import { searchIncidents } from './search-incidents.ts'
import { statistics } from './statistics.ts'
import { trends } from './trends.ts'

export const TOOLS: readonly Tool[] = [searchIncidents, getIncident, areaSummary, statistics, trends, locate]
