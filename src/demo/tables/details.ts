import type { Noun } from './people.ts'

interface Count {
  readonly least: number
  readonly most: number
  readonly noun: Noun
}

/** Ranges of numbers that appear only in summaries. */
export const COUNTS = {
  cattle: { least: 12, most: 160, noun: ['head of cattle', 'head of cattle'] },
  houses: { least: 2, most: 24, noun: ['house', 'houses'] },
  vehicles: { least: 1, most: 5, noun: ['vehicle', 'vehicles'] },
  freed: { least: 2, most: 28, noun: ['abducted person', 'abducted people'] },
  days: { least: 2, most: 45, noun: ['day', 'days'] },
} as const satisfies Record<string, Count>

export const GRIEVANCES = [
  'repeated abductions',
  'fuel prices',
  'prolonged power cuts',
  'the killing of a local youth',
  'unpaid salaries',
  'the state of the road',
  'the demolition of shops',
  'rising food prices',
]

export const OFFENCES = ['theft', 'robbery', 'child abduction', 'stealing a motorcycle']
