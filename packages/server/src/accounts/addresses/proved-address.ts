/**
 * When an address counts as proved: its owner opened a link that was mailed to it and shown to nobody else, or an operator's
 * command says so. The member who invites gets a link as well, so joining by that link proves nothing. Pure.
 */
import type { UserId } from '../../core/ids.ts'

/** `made_by`: null for an operator's command. `by_mail`: the link of the email was opened, not the one of the inviter. */
export const invitationProves = (invitation: { readonly made_by: UserId | null; readonly by_mail: boolean }): boolean =>
  invitation.by_mail || invitation.made_by === null

/** Who invited a user, for the operator: the name and address of the member, and the account; empty: not known. */
export type Inviter = { readonly by: string; readonly account: string }

export const inviterOf = (user: {
  readonly inviter_name: string | null
  readonly inviter_email: string | null
  readonly inviter_proved: boolean
  readonly account: string | null
}): Inviter => {
  const { inviter_name: name, inviter_email: email, inviter_proved, account } = user
  if (email === null) return { by: '', account: account ?? '' }
  const doubt = inviter_proved ? '' : ' (whose address is not proved either)'
  return { by: `${name === '' ? email : `${name} <${email}>`}${doubt}`, account: account ?? '' }
}

/** One sentence for the operator. */
export const inviterSentence = ({ by, account }: Inviter): string => {
  if (by === '') return 'Who invited them is not known.'
  return `${by} invited them${account === '' ? '' : ` to the account "${account}"`}.`
}
