/** The bodies of a user's own settings, of members and of invitations. Rules for passwords are in accounts/people/password.ts. */
import {
  acceptInvitation,
  changeMember,
  createInvitation,
  showInvitation,
} from '@sanad/contract/dashboard/people/members'
import {
  askPasswordReset,
  beginSecondFactor,
  changeMe,
  changePassword,
  confirmSecondFactor,
  endSecondFactor,
  resetPassword,
} from '@sanad/contract/dashboard/people/people'
import { bodyReader } from '../schema-reader.ts'

export const readName = bodyReader(changeMe.body)
export const readPasswordChange = bodyReader(changePassword.body)
export const readPassword = bodyReader(beginSecondFactor.body)
export const readCode = bodyReader(confirmSecondFactor.body)
export const readPasswordAndCode = bodyReader(endSecondFactor.body)
/** Any text: the answer must not say whether it is an address that we know. */
export const readForgotten = bodyReader(askPasswordReset.body)
export const readReset = bodyReader(resetPassword.body)
export const readRole = bodyReader(changeMember.body)
export const readInvitation = bodyReader(createInvitation.body)
export const readLink = bodyReader(showInvitation.body)
export const readAcceptance = bodyReader(acceptInvitation.body)
