import { mailSignIn } from '../../../accounts/sign-in.ts'
import { Problem } from '../../../domain/errors.ts'
import { mailRecoveryLink } from '../../contract/accounts/recovery.ts'
import { addressSubject } from '../../requests/client.ts'
import type { Router } from '../../router.ts'
import { countRequestedMails } from './mail-limit.ts'

const ANSWER = {
  status: 'mailed',
  detail:
    'If an account has this address, a link is on its way that signs you in within 15 minutes, and one to a new key that works for 24 hours. If none arrives, the address has no account here, or no mail can reach it.',
} as const

export function recoveryRoutes(router: Router): void {
  const { clock, config, mailer, publicUrl } = router.environment

  router.add(mailRecoveryLink, async ({ request, reply, body, services: { store } }) => {
    if (mailer === null)
      throw new Problem(
        'mail_not_set_up',
        'This service sends no mail. Ask its operator for a link or a key: incident-feed accounts sign-in-link <id>, or incident-feed keys create --account <id>.',
      )
    const now = clock()
    await countRequestedMails(store, config, body.email, addressSubject(request), now)
    // Not awaited: a response after the look-up and the mail would tell known addresses by its
    // time.
    mailSignIn(store, mailer, publicUrl(), body.email, now).catch((error: unknown) =>
      request.log.error({ err: error, request_id: request.id }, 'a sign-in link could not be mailed'),
    )
    reply.status(202)
    return ANSWER
  })
}
