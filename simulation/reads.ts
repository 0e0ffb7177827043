import { Violation } from './model.ts'
import type { Simulation } from './simulation.ts'

/* Answers about all incidents that a node works out itself. */

const LAGOS_MS = 3_600_000
const DAY = 86_400_000
const MORE_NAMES_THAN_ALLOWED = 101
/** The same question on every day: its answer must not be one from before. */
const ASKED_DAILY = { state: ['Kaduna'], type: ['kidnapping', 'banditry', 'homicide', 'explosion'] }

export async function checkReads(simulation: Simulation): Promise<void> {
  await checkHours(simulation)
  await checkPlaces(simulation)
  await simulation.checkList(ASKED_DAILY, 50)
  const names = Array.from({ length: MORE_NAMES_THAN_ALLOWED }, () => 'Kaduna').join()
  await simulation.demand(400, { method: 'GET', path: `/v1/incidents?state=${names}` })
}

/** A harbour close to the border of the next LGA, and a town in the middle of its own. */
const PLACES = [
  ['Apapa', 6.4488, 3.359],
  ['Gwoza', 11.0861, 13.6914],
] as const

async function checkPlaces(simulation: Simulation): Promise<void> {
  for (const [name, lat, lng] of PLACES) {
    const path = `/v1/places/locate?lat=${lat}&lng=${lng}`
    const { body } = await simulation.demand<{ lga: string }>(200, { method: 'GET', path })
    if (body.lga !== name) throw new Violation(`${name} was located in ${body.lga}`)
  }
}

/** Incidents are counted by the hour of their publication in Lagos. */
async function checkHours(simulation: Simulation): Promise<void> {
  const from = `${new Date(simulation.world.now - 2 * DAY).toISOString().slice(0, 19)}Z`
  const hours = new Map<string, number>()
  for (const { publishedAt, isPublic } of simulation.model.incidents) {
    if (!isPublic || publishedAt === null || publishedAt < from) continue
    const hour = new Date(Date.parse(publishedAt) + LAGOS_MS).toISOString().slice(0, 13)
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const path = `/v1/stats?group_by=hour&time_zone=Africa/Lagos&from=${from}`
  const { body } = await simulation.demand<Statistics>(200, { method: 'GET', path })
  for (const { hour, count } of body.data)
    if (count !== (hours.get(hour.key) ?? 0))
      throw new Violation(`${hour.key} has ${count} incidents in the statistics; expected: ${hours.get(hour.key) ?? 0}`)
}

interface Statistics {
  readonly data: readonly { readonly hour: { readonly key: string }; readonly count: number }[]
}
