import type { Comparable } from '../../src/domain/near-duplicates.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import { pick, type Random } from '../../src/lib/random.ts'
import type { Event } from './events.ts'
import { firstReport, secondReport } from './retelling.ts'

export type Pair = readonly [one: Comparable, other: Comparable]

export interface Pairs {
  /** Events that share day and place, as imported. */
  readonly sameDayAndPlace: readonly Pair[]
  /** One event in the words of two newspapers. */
  readonly retold: readonly Pair[]
  readonly random: readonly Pair[]
  /**
   * Two events in one state within a week and 60 km, at different places and of different articles.
   */
  readonly nearby: readonly Pair[]
  /** The same, in the words of newspapers. */
  readonly nearbyRetold: readonly Pair[]
}

const WEEK = 7 * 86_400_000
/** Farther events are not compared, unless one is known to its state only. */
const NEAR_KM = 60

/** `count` pairs of each kind that is drawn; the others are all there are. */
export function pairsOf(events: readonly Event[], count: number, random: Random): Pairs {
  const told = events.filter(({ headlines }) => headlines.length > 1)
  const nearby = nearbyPairs(events)
  const toldNearby = nearbyPairs(told)
  const imported = ([one, other]: readonly [Event, Event]): Pair => [one.incident, other.incident]
  return {
    sameDayAndPlace: sameDayAndPlace(events).map(imported),
    retold: told.map((event) => [firstReport(event), secondReport(event, random)]),
    random: Array.from({ length: count }, () => imported([pick(random, events), pick(random, events)])).filter(
      ([one, other]) => one !== other,
    ),
    nearby: drawn(nearby, count, random).map(imported),
    nearbyRetold: drawn(toldNearby, count, random).map(([one, other]) => [
      firstReport(one),
      secondReport(other, random),
    ]),
  }
}

function sameDayAndPlace(events: readonly Event[]): [Event, Event][] {
  const groups = Map.groupBy(events, ({ day, where, incident }) => `${day} ${where} ${incident.state}`)
  return [...groups.values()].flatMap((group) =>
    group.flatMap((one, at) => group.slice(at + 1).map((other): [Event, Event] => [one, other])),
  )
}

function nearbyPairs(events: readonly Event[]): [Event, Event][] {
  const pairs: [Event, Event][] = []
  for (const group of Map.groupBy(events, ({ incident }) => incident.state).values()) {
    const sorted = group.toSorted((one, other) => timeOf(one) - timeOf(other))
    for (const [at, one] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        if (timeOf(other) - timeOf(one) > WEEK) break
        const sameArticle = one.headlines.some((headline) => other.headlines.includes(headline))
        if (one.where !== other.where && !sameArticle && kmBetween(one, other) < NEAR_KM) pairs.push([one, other])
      }
    }
  }
  return pairs
}

function timeOf({ incident }: Event): number {
  return Date.parse(incident.occurred_at)
}

function kmBetween({ incident: one }: Event, { incident: other }: Event): number {
  return distanceKm(one.lat, one.lng, other.lat, other.lng)
}

function drawn<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return Array.from({ length: count }, () => pick(random, items))
}
