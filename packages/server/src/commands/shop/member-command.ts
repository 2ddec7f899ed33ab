/** `sanad member`: invites members to an account and prints the link, for services without email; lists and confirms requests. */

import { replaceInvitation } from '../../accounts/members/invitations.ts'
import { membershipNotices } from '../../accounts/members/member-notices.ts'
import { confirmRequest } from '../../accounts/members/members.ts'
import { listRequests } from '../../accounts/people/member-sql.ts'
import type { MemberRole } from '../../accounts/people/permission.ts'
import { invitationLink } from '../../accounts/people/user-emails.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import { type AddTo, accountOf, byCommand, show } from '../command-line.ts'
import { oneEmail, userByEmail } from './email-option.ts'
import { allRoles, oneRole } from './role-option.ts'
import { walletsOf } from './wallet-option.ts'

export const addTo: AddTo = (member, line) => {
  member
    .command('invite')
    .description('print a link by which a user joins an account; it works once, for seven days')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'the address of the new member', oneEmail)
    .option('--role <role>', `one of ${allRoles}; default: the role of their open invitation`, oneRole)
    .option('--wallet <id...>', 'the wallets that they see; default: those of their open invitation, or all')
    .option('--json', 'print one JSON object')
    .action(async (options: InviteOptions) => {
      const { email } = options
      const origin = await line.serviceUrl()
      const token = await line.onStore('sanad member', async (db) => {
        const accountId = await accountOf(db, options.account)
        const wallets = options.wallet && (await walletsOf(db, accountId, options.wallet))
        // The user may have an open invitation from the dashboard: this link replaces it.
        const invitation = await byCommand(db, (tx, audit) =>
          replaceInvitation(
            tx,
            audit,
            { scope: wholeAccount(accountId), email, role: options.role, wallets },
            systemClock.now(),
          ),
        )
        if ('refused' in invitation) throw new CommandError(refusalText(invitation.refused, email))
        return invitation.token
      })
      show(line, { link: invitationLink(origin, token) }, options.json)
    })

  member
    .command('requests')
    .description('list members who wait for an owner, because their address was proved after they joined')
    .action(async () => {
      const all = await line.onStore('sanad member', (db) => listRequests(db, mostListed))
      for (const { account_id, account, email, role, owners } of all)
        line.say(`${account_id}  ${email}  ${role}  ${account}${owners === 0 ? '  (no owner can confirm it)' : ''}`)
      if (all.length === mostListed) line.say('There may be more.')
    })

  member
    .command('confirm')
    .description('confirm such a request, where no owner can')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'the address of the member', oneEmail)
    .action(async (options: { account: string; email: string }) => {
      const { email } = options
      const role = await line.onStore('sanad member', async (db) => {
        const accountId = await accountOf(db, options.account)
        const id = await userByEmail(db, email)
        const confirmed = await byCommand(db, async (tx, audit) => {
          const done = await confirmRequest(tx, wholeAccount(accountId), id, null)
          if (isRefusal(done)) return done
          const role = done.member.role as MemberRole
          const { account, otherOwners } = done
          const change = { userId: id, email, accountId, account, otherOwners, role, roleBefore: null, ownAct: false }
          const told = membershipNotices(change)
          audit({ action: 'member.confirm', kind: 'member', id, accountId, after: { email, role }, ...told })
          return done
        })
        if (isRefusal(confirmed)) throw new CommandError(`${email} has no request to this account.`)
        return confirmed.member.role
      })
      line.say(`${email} belongs to the account, as ${role}.`)
    })
}

type InviteOptions = { account: string; email: string; role?: MemberRole; wallet?: string[]; json?: boolean }

const mostListed = 500

const refusalText = (refused: string, email: string): string => {
  if (refused === 'role_needed') return `${email} is not invited yet: say as what, with --role.`
  if (refused === 'owner_sees_all') return 'An owner sees all wallets: leave --wallet out.'
  return refused === 'already_member' ? `${email} belongs to the account already.` : 'The account has too many members.'
}
