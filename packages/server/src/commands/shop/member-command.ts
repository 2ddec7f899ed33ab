/** `sanad member`: the members of an account. Where no mail is set up, the link of an invitation is printed here. */

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
    .description('print a link by which somebody joins an account; it works once, for seven days')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'whom', oneEmail)
    .option('--role <role>', `one of ${allRoles}; left out: as they are invited already`, oneRole)
    .option('--json', 'print one JSON object')
    .action(async (options: { account: string; email: string; role?: MemberRole; json?: boolean }) => {
      const { email } = options
      const origin = await line.reachedAt()
      const token = await line.onStore('sanad member', async (db) => {
        const accountId = await accountOf(db, options.account)
        // The user may have been invited in the dashboard, where no mail is sent: this link replaces that one.
        const made = await byCommand(db, (tx, note) =>
          replaceInvitation(tx, note, { accountId, email, role: options.role }, systemClock.now()),
        )
        if ('refused' in made) throw new CommandError(whyNot(made.refused, email))
        return made.token
      })
      show(line, { link: invitationLink(origin, token) }, options.json)
    })
}

const whyNot = (refused: string, email: string): string => {
  if (refused === 'role_needed') return `${email} is not invited yet: say as what, with --role.`
  return refused === 'already_member' ? `${email} belongs to the account already.` : 'The account has too many members.'
}
