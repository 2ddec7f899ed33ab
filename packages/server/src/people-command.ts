/**
 * `sanad user`, `sanad member`, `sanad operator`: people, from the command line of whoever hosts the service. Where no mail
 * is set up, links are printed here: who may run this may read the database anyway. What is changed is in the audit log.
 */
import { type Command, InvalidArgumentError } from 'commander'
import { changeByCommand } from './accounts/change-by-command.ts'
import { makeResetLink } from './accounts/change-password.ts'
import { createUser } from './accounts/create-account.ts'
import { emailOf } from './accounts/email.ts'
import { invitationLink, resetLink } from './accounts/letters.ts'
import { inviteInPlace } from './accounts/manage-invitations.ts'
import { noteOfPerson } from './accounts/note-of-person.ts'
import { operatorsNow } from './accounts/operator-sql.ts'
import { type MemberRole, roles } from './accounts/permission.ts'
import { endFactor, findByEmail, setOperator } from './accounts/person-sql.ts'
import { endOthers } from './accounts/session-sql.ts'
import { systemClock } from './ground/clock.ts'
import { type AccountId, newSecret, type UserId } from './ground/ids.ts'
import type { CommandLine } from './phone-command.ts'
import type { Db } from './postgres/database.ts'

export type PeopleLine = CommandLine & {
  readonly show: (facts: Record<string, string>, json: boolean | undefined) => void
  readonly accountOf: (db: Db, text: string) => Promise<AccountId>
  /** Where people reach the service. */
  readonly origin: () => Promise<string>
}

const oneRole = (text: string): MemberRole => {
  if (!(roles as readonly string[]).includes(text)) throw new InvalidArgumentError(`One of ${roles.join(', ')}.`)
  return text as MemberRole
}

const oneEmail = (text: string): string => {
  const email = emailOf(text)
  if (email === undefined) throw new InvalidArgumentError('It must be an e-mail address, such as amal@example.com.')
  return email
}

export const addPeopleCommands = (program: Command, line: PeopleLine): void => {
  addUser(program.command('user').description('people'), line)
  addMember(program.command('member').description('who belongs to an account'), line)
  addOperator(program.command('operator').description('who hosts this service, in the dashboard'), line)
}

const personOf = async (db: Db, email: string, line: PeopleLine): Promise<UserId> => {
  const [user] = await findByEmail(db, email)
  if (user === undefined || user.disabled) throw line.refused(`Nobody signs in with ${email}.`)
  return user.id
}

const addUser = (user: Command, line: PeopleLine): void => {
  user
    .command('create')
    .description('make a person who may sign in to an account')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'the address to sign in with', oneEmail)
    .option('--name <name>', 'what to call them', '')
    .option('--role <role>', `one of ${roles.join(', ')}`, oneRole, 'owner')
    .option('--json', 'print one JSON object')
    .action(async (asked: { account: string; email: string; name: string; role: MemberRole; json?: boolean }) => {
      const password = newSecret().slice(0, 20)
      const id = await line.onStore('sanad user', async (db) => {
        const accountId = await line.accountOf(db, asked.account)
        const now = systemClock.now()
        const made = await changeByCommand(db, now, async (inside, note) => {
          const userId = await createUser(inside, accountId, { ...asked, password }, now)
          const after = { email: asked.email, name: asked.name, role: asked.role }
          if (userId !== undefined) note({ action: 'member.create', kind: 'member', id: userId, accountId, after })
          return userId
        })
        if (made === undefined) throw line.refused(`Somebody already signs in with ${asked.email}.`)
        return made
      })
      line.show({ user: id, email: asked.email, password }, asked.json)
    })
  user
    .command('link')
    .description('print a link by which somebody sets a new password; it works once, for an hour')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .option('--json', 'print one JSON object')
    .action(async ({ email, json }: { email: string; json?: boolean }) => {
      const origin = await line.origin()
      const now = systemClock.now()
      const token = await line.onStore('sanad user', async (db) => {
        const id = await personOf(db, email, line)
        const result = await changeByCommand(db, now, async (inside, note) => {
          const link = await makeResetLink(inside, email, now, 1_000)
          if (link !== undefined) await noteOfPerson(inside, note, id, { action: 'user.link', after: { email } })
          return link
        })
        if (result === undefined) throw line.refused(`Too many links of ${email} are open.`)
        return result.token
      })
      line.show({ link: resetLink(origin, token) }, json)
    })
  user
    .command('second-factor-off')
    .description('switch off the second factor of somebody who lost their phone and their recovery codes')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(async ({ email }: { email: string }) => {
      const now = systemClock.now()
      await line.onStore('sanad user', async (db) => {
        const id = await personOf(db, email, line)
        await changeByCommand(db, now, async (inside, note) => {
          const ended = await endFactor(inside, id, now)
          if (ended.length === 0) throw line.refused(`${email} has no second factor.`)
          await endOthers(inside, id, null, now)
          await noteOfPerson(inside, note, id, { action: 'user.second_factor_off', after: { email } })
        })
      })
      line.say('Switched off. Make sure that it was they who asked.')
    })
}

const addMember = (member: Command, line: PeopleLine): void => {
  member
    .command('invite')
    .description('print a link by which somebody joins an account; it works once, for seven days')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--email <address>', 'whom', oneEmail)
    .option('--role <role>', `one of ${roles.join(', ')}; left out: as they are invited already`, oneRole)
    .option('--json', 'print one JSON object')
    .action(async (asked: { account: string; email: string; role?: MemberRole; json?: boolean }) => {
      const origin = await line.origin()
      const now = systemClock.now()
      const token = await line.onStore('sanad member', async (db) => {
        const accountId = await line.accountOf(db, asked.account)
        const { email } = asked
        // Somebody may have been invited in the dashboard, where no mail is sent: this link takes that one's place.
        const result = await changeByCommand(db, now, (inside, note) =>
          inviteInPlace(inside, note, { accountId, email, role: asked.role }, now),
        )
        if ('refused' in result) throw line.refused(whyNot(result.refused, email))
        return result.token
      })
      line.show({ link: invitationLink(origin, token) }, asked.json)
    })
}

const whyNot = (refused: string, email: string): string => {
  if (refused === 'role_needed') return `${email} is not invited yet: say as what, with --role.`
  return refused === 'already_member' ? `${email} belongs to the account already.` : 'The account has too many members.'
}

const addOperator = (operator: Command, line: PeopleLine): void => {
  const set = async (email: string, flag: boolean): Promise<void> => {
    const now = systemClock.now()
    await line.onStore('sanad operator', (db) =>
      changeByCommand(db, now, async (inside, note) => {
        const [user] = await setOperator(inside, email, flag)
        if (user === undefined) throw line.refused(`Nobody signs in with ${email}.`)
        if (user.before !== flag)
          note({
            action: 'user.operator',
            kind: 'user',
            id: user.id,
            before: { operator: user.before },
            after: { operator: flag },
          })
      }),
    )
    line.say(flag ? `${email} is an operator.` : `${email} is no operator.`)
  }
  operator
    .command('list')
    .description('who they are')
    .action(async () => {
      const all = await line.onStore('sanad operator', (db) => operatorsNow(db))
      for (const { email, name } of all) line.say(`${email}  ${name}`)
    })
  operator
    .command('add')
    .description('let somebody do in the dashboard what concerns no single account')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(({ email }: { email: string }) => set(email, true))
  operator
    .command('remove')
    .description('take it back')
    .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
    .action(({ email }: { email: string }) => set(email, false))
}
