/** `sanad user`: creates, disables and enables users, switches off a lost second factor, vouches for an address, and prints the
 *  link to a new password, for services without email. */

import { vouchForAddress } from '../../accounts/addresses/address-by-command.ts'
import { findAddress } from '../../accounts/addresses/address-sql.ts'
import { inviterOf, inviterSentence } from '../../accounts/addresses/proved-address.ts'
import { auditUserChange } from '../../accounts/audit/audit-user.ts'
import { makeResetLink } from '../../accounts/members/change-password.ts'
import { createUser } from '../../accounts/members/create-user.ts'
import { disableUser, enableUser } from '../../accounts/members/disable-user.ts'
import { membershipNotices } from '../../accounts/members/member-notices.ts'
import { countOtherOwners } from '../../accounts/people/member-sql.ts'
import { hashPassword } from '../../accounts/people/password.ts'
import type { MemberRole } from '../../accounts/people/permission.ts'
import { resetLink } from '../../accounts/people/user-emails.ts'
import { endAllFactorsRow } from '../../accounts/people/user-sql.ts'
import { endOtherSessionRows } from '../../accounts/sessions/session-sql.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { newSecret } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type AddTo, accountOf, byCommand, oneName, show } from '../command-line.ts'
import { oneEmail, userByEmail } from './email-option.ts'
import { allRoles, oneRole } from './role-option.ts'

export const addTo: AddTo = (user, line) => {
  user
    .command('create')
    .description('create a user who may sign in to an account')
    .requiredOption('--account <id>', 'the id of the account')
    .requiredOption('--email <address>', 'the address to sign in with', oneEmail)
    .option('--name <name>', 'the name of the user', oneName, '')
    .option('--role <role>', `one of ${allRoles}`, oneRole, 'owner')
    .option('--json', 'print one JSON object')
    .action(async (options: { account: string; email: string; name: string; role: MemberRole; json?: boolean }) => {
      const { email, name, role } = options
      const password = newSecret().slice(0, 20)
      const id = await line.onStore('sanad user', async (db) => {
        const accountId = await accountOf(db, options.account)
        const passwordHash = await hashPassword(password)
        const created = await byCommand(db, async (tx, audit) => {
          const id = await createUser(
            tx,
            wholeAccount(accountId),
            { email, name, role, passwordHash },
            systemClock.now(),
          )
          if (id === undefined) return undefined
          const [others] = await countOtherOwners(tx, wholeAccount(accountId), id)
          const told = membershipNotices({
            userId: id,
            email,
            accountId,
            account: '',
            role,
            roleBefore: null,
            ownAct: false,
            otherOwners: others!.owners > 0,
          })
          audit({ action: 'member.create', kind: 'member', id, accountId, after: { email, name, role }, ...told })
          return id
        })
        if (created === undefined) throw new CommandError(await takenText(db, email))
        return created
      })
      show(line, { user: id, email, password }, options.json)
    })

  user
    .command('link')
    .description('print a link by which a user sets a new password; it works once, for an hour')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .option('--json', 'print one JSON object')
    .action(async ({ email, json }: { email: string; json?: boolean }) => {
      const origin = await line.serviceUrl()
      const { token, proved } = await line.onStore('sanad user', async (db) => {
        const id = await userByEmail(db, email)
        const link = await byCommand(db, async (tx, audit) => {
          const link = await makeResetLink(tx, email, systemClock.now(), 1_000)
          if (link !== undefined) await auditUserChange(tx, audit, id, { action: 'user.link', after: { email } })
          return link
        })
        if (link === undefined) throw new CommandError(`Too many links of ${email} are open.`)
        const [address] = await findAddress(db, email)
        return { token: link.token, proved: address?.proved ?? false }
      })
      show(line, { link: resetLink(origin, token) }, json)
      if (!proved && !json)
        line.say(
          'The address is not proved: whoever opens this link counts as its owner. Their second factor and sessions end, and ' +
            'owners confirm their memberships (`sanad member requests`).',
        )
    })

  user
    .command('prove')
    .description('vouch that a user who joined by a link that others saw owns the address they sign in with')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(async ({ email }: { email: string }) => {
      const result = await line.onStore('sanad user', (db) =>
        byCommand(db, (tx, audit) => vouchForAddress(tx, audit, email, systemClock.now())),
      )
      if (isRefusal(result)) throw new CommandError(`Nobody signs in with ${email}.`)
      line.say(result.changed ? `${email} counts as proved.` : `${email} was proved already.`)
    })

  user
    .command('second-factor-off')
    .description('end the app for codes, the passkeys and the recovery codes of a user who lost them')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(async ({ email }: { email: string }) => {
      const passkeys = await line.onStore('sanad user', async (db) => {
        const id = await userByEmail(db, email)
        return byCommand(db, async (tx, audit) => {
          const now = systemClock.now()
          const [ended] = await endAllFactorsRow(tx, id, now)
          if (ended === undefined) throw new CommandError(`${email} has no second factor.`)
          await endOtherSessionRows(tx, id, null, now)
          const facts = { change: 'ended_by_operator' } as const
          const about = { kind: 'second_factor_changed', facts, email } as const
          const after = { email, ...(ended.passkeys === 0 ? {} : { passkeys: ended.passkeys }) }
          await auditUserChange(tx, audit, id, { action: 'user.second_factor_off', after, about })
          return ended.passkeys
        })
      })
      line.say(
        `Switched off${passkeys === 0 ? '' : `, and ${passkeys} passkey${passkeys === 1 ? '' : 's'} removed`}. ` +
          'They sign in with their password alone until they set up another. Make sure that it was they who asked.',
      )
    })

  user
    .command('disable')
    .description('disable a user in every account; their sessions, tokens, links and invitations end')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(async ({ email }: { email: string }) => {
      const result = await line.onStore('sanad user', (db) =>
        byCommand(db, (tx, audit) => disableUser(tx, audit, email, systemClock.now())),
      )
      if (isRefusal(result))
        throw new CommandError(
          result.refused === 'last_owner'
            ? `${email} is the only owner of "${result.facts?.account}": make another one first, or suspend the account.`
            : `Nobody signs in with ${email}.`,
        )
      line.say(result.changed ? `${email} is shut out.` : `${email} is shut out already.`)
    })

  user
    .command('enable')
    .description('enable a user who was disabled')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(async ({ email }: { email: string }) => {
      const result = await line.onStore('sanad user', (db) =>
        byCommand(db, (tx, audit) => enableUser(tx, audit, email)),
      )
      if (isRefusal(result)) throw new CommandError(`Nobody signs in with ${email}.`)
      line.say(result.changed ? `${email} can sign in again.` : `${email} was not shut out.`)
    })
}

const takenText = async (db: Db, email: string): Promise<string> => {
  const [address] = await findAddress(db, email)
  const taken = `Somebody already signs in with ${email}.`
  if (address === undefined || address.proved) return taken
  return `${taken} The address is not proved. ${inviterSentence(inviterOf(address))} \`sanad user link\` gives the user to its owner.`
}
