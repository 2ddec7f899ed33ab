/** `sanad operator`: the operators of this service. */

import { setOperator } from '../../accounts/people/user-sql.ts'
import { listOperators } from '../../accounts/tenants/operator-sql.ts'
import { CommandError } from '../../command-error.ts'
import { type AddTo, byCommand } from '../command-line.ts'
import { oneEmail } from './email-option.ts'

export const addTo: AddTo = (operator, line) => {
  operator
    .command('list')
    .description('who they are')
    .action(async () => {
      const all = await line.onStore('sanad operator', (db) => listOperators(db))
      for (const { email, name } of all) line.say(`${email}  ${name}`)
    })

  for (const [name, isOne, what] of [
    ['add', true, 'let somebody do in the dashboard what concerns no single account'],
    ['remove', false, 'take it back'],
  ] as const)
    operator
      .command(name)
      .description(what)
      .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
      .action(async ({ email }: { email: string }) => {
        await line.onStore('sanad operator', (db) =>
          byCommand(db, async (tx, note) => {
            const [user] = await setOperator(tx, email, isOne)
            if (user === undefined) throw new CommandError(`Nobody signs in with ${email}.`)
            const [before, after] = [{ operator: user.before }, { operator: isOne }]
            if (user.before !== isOne) note({ action: 'user.operator', kind: 'user', id: user.id, before, after })
          }),
        )
        line.say(isOne ? `${email} is an operator.` : `${email} is no operator.`)
      })
}
