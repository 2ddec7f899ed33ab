/** `sanad operator`: lists, adds and removes operators of this service. */

import { setOperator } from '../../accounts/people/user-sql.ts'
import { listOperators } from '../../accounts/tenants/operator-sql.ts'
import { CommandError } from '../../command-error.ts'
import { type AddTo, byCommand } from '../command-line.ts'
import { oneEmail } from './email-option.ts'

export const addTo: AddTo = (operator, line) => {
  operator
    .command('list')
    .description('list the operators')
    .action(async () => {
      const all = await line.onStore('sanad operator', (db) => listOperators(db))
      for (const { email, name } of all) line.say(`${email}  ${name}`)
    })

  for (const [name, isOperator, description] of [
    ['add', true, 'make a user an operator, who manages all accounts in the dashboard'],
    ['remove', false, 'make an operator an ordinary user again'],
  ] as const)
    operator
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
      .action(async ({ email }: { email: string }) => {
        await line.onStore('sanad operator', (db) =>
          byCommand(db, async (tx, audit) => {
            const [user] = await setOperator(tx, email, isOperator)
            if (user === undefined) throw new CommandError(`Nobody signs in with ${email}.`)
            const [before, after] = [{ operator: user.before }, { operator: isOperator }]
            if (user.before !== isOperator) audit({ action: 'user.operator', kind: 'user', id: user.id, before, after })
          }),
        )
        line.say(isOperator ? `${email} is an operator.` : `${email} is no operator.`)
      })
}
