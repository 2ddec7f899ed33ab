/** The option `--email`, by which commands identify a user. */
import { InvalidArgumentError } from 'commander'
import { emailOf } from '../../accounts/people/email-address.ts'
import { findUserByEmail } from '../../accounts/people/user-sql.ts'
import { CommandError } from '../../command-error.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'

export const oneEmail = (text: string): string => {
  const email = emailOf(text)
  if (email === undefined) throw new InvalidArgumentError('It must be an e-mail address, such as amal@example.com.')
  return email
}

export const userByEmail = async (db: Db, email: string): Promise<UserId> => {
  const [user] = await findUserByEmail(db, email)
  if (user === undefined || user.disabled) throw new CommandError(`Nobody signs in with ${email}.`)
  return user.id
}
