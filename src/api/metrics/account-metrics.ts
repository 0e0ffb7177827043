import { Counter, type Registry } from 'prom-client'
import { type Environment, SIGN_UP_STEPS } from '../services.ts'

export function accountMetrics(registers: Registry[], { signUpListeners }: Environment): void {
  const signUps = new Counter({
    name: 'incident_feed_sign_ups_total',
    help: 'Sign-ups at this process: links mailed, accounts opened, and requests refused by SIGNUPS_PER_HOUR.',
    labelNames: ['step'],
    registers,
  })
  // From 0: a rate cannot see the step from nothing to the first.
  for (const step of SIGN_UP_STEPS) signUps.inc({ step }, 0)
  signUpListeners.add((step) => signUps.inc({ step }))
}
