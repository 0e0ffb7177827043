import type { Casualties } from '../domain/incident.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import { exponential, type Random } from '../lib/random.ts'
import { type Figure, TRAITS } from './tables/types.ts'

export function drawToll(type: IncidentType, random: Random): Casualties {
  const { killed, injured, abducted } = TRAITS[type].figures
  return { killed: number(killed, random), injured: number(injured, random), abducted: number(abducted, random) }
}

function number(figure: Figure | undefined, random: Random): number | null {
  if (!figure || random() >= figure.known) return null
  if (random() >= figure.some) return 0
  return Math.min(figure.most, figure.least + Math.floor(exponential(random, figure.more)))
}
