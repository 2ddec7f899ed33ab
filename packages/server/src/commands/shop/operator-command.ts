/** `sanad operator`: lists, adds and removes operators of this service. */

import { changeOperator } from '../../accounts/addresses/address-by-command.ts'
import { findAddress } from '../../accounts/addresses/address-sql.ts'
import { inviterOf, inviterSentence } from '../../accounts/addresses/proved-address.ts'
import { listOperators } from '../../accounts/tenants/operator-sql.ts'
import { CommandError } from '../../command-error.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type AddTo, byCommand } from '../command-line.ts'
import { oneEmail } from './email-option.ts'

export const addTo: AddTo = (operator, line) => {
  operator
    .command('list')
    .description('list the operators')
    .action(async () => {
      await line.onStore('sanad operator', async (db) => {
        for (const { email, name, proved } of await listOperators(db)) {
          const [address] = proved ? [] : await findAddress(db, email)
          const doubt = address === undefined ? '' : `  address not proved: ${inviterSentence(inviterOf(address))}`
          line.say(`${email}  ${name}${doubt}`)
        }
      })
    })

  for (const [name, isOperator, description] of [
    ['add', true, 'make a user whose address is proved an operator, who manages all accounts in the dashboard'],
    ['remove', false, 'make an operator an ordinary user again'],
  ] as const)
    operator
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the address they sign in with', oneEmail)
      .action(async ({ email }: { email: string }) => {
        const changed = await line.onStore('sanad operator', (db) =>
          byCommand(db, (tx, audit) => changeOperator(tx, audit, email, isOperator)),
        )
        if (isRefusal(changed))
          throw new CommandError(
            changed.refused === 'member_unknown' ? `Nobody signs in with ${email}.` : unproved(email, changed.facts),
          )
        line.say(isOperator ? `${email} is an operator.` : `${email} is no operator.`)
      })
}

const unproved = (email: string, facts: Readonly<Record<string, string>> = {}): string =>
  `${email} is not proved: this user joined by a link that others saw. ` +
  `${inviterSentence({ by: facts.by ?? '', account: facts.account ?? '' })} ` +
  'Have the owner of the address set a new password by "Forgot your password?" or by `sanad user link`; ' +
  'or, if you know that this user is the owner of the address, say so with `sanad user prove`.'
