/** The option `--role` of commands: the role of a member. */
import { InvalidArgumentError } from 'commander'
import { type MemberRole, roles } from '../../accounts/people/permission.ts'

export const allRoles = roles.join(', ')

export const oneRole = (text: string): MemberRole => {
  if (!(roles as readonly string[]).includes(text)) throw new InvalidArgumentError(`One of ${allRoles}.`)
  return text as MemberRole
}
