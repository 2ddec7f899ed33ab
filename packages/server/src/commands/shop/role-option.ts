/** The role of a member, as an option of commands. */
import { InvalidArgumentError } from 'commander'
import { type MemberRole, roles } from '../../accounts/people/permission.ts'

export const allRoles = roles.join(', ')

export const oneRole = (text: string): MemberRole => {
  if (!(roles as readonly string[]).includes(text)) throw new InvalidArgumentError(`One of ${allRoles}.`)
  return text as MemberRole
}
