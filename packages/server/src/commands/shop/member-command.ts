/** `sanad member`: invites members to an account. It prints the link of the invitation, for services without email. */

import { replaceInvitation } from '../../accounts/people/invitations.ts'
import type { MemberRole } from '../../accounts/people/permission.ts'
import { invitationLink } from '../../accounts/people/user-emails.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { type AddTo, accountOf, byCommand, show } from '../command-line.ts'
import { oneEmail } from './email-option.ts'
import { allRoles, oneRole } from './role-option.ts'

export const addTo: AddTo = (member, line) => {
  member
    .command('invite')
    .description('print a link by which a user joins an account; it works once, for seven days')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'the address of the new member', oneEmail)
    .option('--role <role>', `one of ${allRoles}; default: the role of their open invitation`, oneRole)
    .option('--json', 'print one JSON object')
    .action(async (options: { account: string; email: string; role?: MemberRole; json?: boolean }) => {
      const { email } = options
      const origin = await line.serviceUrl()
      const token = await line.onStore('sanad member', async (db) => {
        const accountId = await accountOf(db, options.account)
        // The user may have an open invitation from the dashboard: this link replaces it.
        const invitation = await byCommand(db, (tx, audit) =>
          replaceInvitation(tx, audit, { accountId, email, role: options.role }, systemClock.now()),
        )
        if ('refused' in invitation) throw new CommandError(refusalText(invitation.refused, email))
        return invitation.token
      })
      show(line, { link: invitationLink(origin, token) }, options.json)
    })
}

const refusalText = (refused: string, email: string): string => {
  if (refused === 'role_needed') return `${email} is not invited yet: say as what, with --role.`
  return refused === 'already_member' ? `${email} belongs to the account already.` : 'The account has too many members.'
}
