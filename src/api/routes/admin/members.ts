import { auditEntryOf } from '../../../accounts/audit.ts'
import { requireRoleScopes } from '../../../accounts/delegation.ts'
import { MailUnavailable } from '../../../accounts/mail.ts'
import {
  findMember,
  INVITATION_VALID_MS,
  issueSignInLink,
  mailInvitation,
  type NewLink,
  newMember,
} from '../../../accounts/sign-in.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import type { Store } from '../../../store/store.ts'
import { createSignInLink, inviteAccount } from '../../contract/accounts/members.ts'
import type { Router } from '../../router.ts'
import { timeResponse } from '../keys/response.ts'
import { findOpenAccount } from './find-account.ts'
import { accountResponses } from './response.ts'

/** People: inviting them, and giving them a way in. */
export function memberRoutes(router: Router): void {
  const { clock, mailer, publicUrl } = router.environment

  router.add(inviteAccount, async ({ request, reply, body, services: { store } }) => {
    const { email, name, role } = body
    if (/\p{Cc}/u.test(name) || !name.isWellFormed())
      throw invalidBody([{ pointer: '/name', message: 'must not contain control characters' }])
    requireRoleScopes(request.caller!, role)
    await refuseSecondMember(store, email)
    const now = clock()
    const account = newMember({ email, name, role }, now)
    const entry = auditEntryOf(request.caller!, { action: 'account.create', subject: account.id, after: body }, now)
    await store.withAudit(entry).accounts.ensure(account)
    const link = await invite(account)
    const [response] = await accountResponses(store, [account], now)
    reply.status(201).header('cache-control', 'no-store')
    return { account: response!, invitation: linkResponse(link, mailer !== null) }

    async function invite(invited: typeof account): Promise<NewLink> {
      if (mailer === null)
        return issueSignInLink(store, publicUrl(), invited.id, { mailed: false, validMs: INVITATION_VALID_MS }, now)
      try {
        return await mailInvitation(store, mailer, publicUrl(), invited, now)
      } catch (error) {
        if (!(error instanceof MailUnavailable)) throw error
        request.log.error({ err: error }, 'an invitation could not be mailed')
        throw new Problem(
          'mail_unavailable',
          `The account ${invited.id} was opened, but the invitation could not be mailed. The person can ask for a link at ${publicUrl()}/sign-in.`,
          { headers: { 'retry-after': '60' } },
        )
      }
    }
  })

  router.add(createSignInLink, async ({ request, reply, parameters, services: { store } }) => {
    const account = await findOpenAccount(store, parameters.id)
    requireRoleScopes(request.caller!, account.role)
    const now = clock()
    const entry = auditEntryOf(request.caller!, { action: 'account.sign_in_link', subject: account.id }, now)
    const link = await issueSignInLink(store.withAudit(entry), publicUrl(), account.id, { mailed: false }, now)
    reply.status(201).header('cache-control', 'no-store')
    return linkResponse(link, false)
  })
}

function linkResponse({ url, expiresAt }: NewLink, mailed: boolean) {
  return { url: mailed ? null : url, mailed, expires_at: timeResponse(expiresAt) }
}

async function refuseSecondMember(store: Store, email: string): Promise<void> {
  const member = await findMember(store, email)
  if (member === null) return
  const state = member.status === 'blocked' ? 'blocked ' : ''
  throw new Problem(
    'account_exists',
    `The ${state}account ${member.id} has this address, with the role ${member.role}. Change that one.`,
  )
}
