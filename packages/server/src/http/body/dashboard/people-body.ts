/** Reads the bodies about a user's own settings, members and invitations. accounts/people/password.ts checks passwords. */
import {
  acceptInvitation,
  changeMember,
  createInvitation,
  proveAddress,
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
} from '@sanad/contract/dashboard/people/own-settings'
import { bodyReader } from '../schema-reader.ts'

export const readName = bodyReader(changeMe.body)
export const readPasswordChange = bodyReader(changePassword.body)
export const readPassword = bodyReader(beginSecondFactor.body)
export const readCode = bodyReader(confirmSecondFactor.body)
export const readPasswordAndCode = bodyReader(endSecondFactor.body)
/** Accepts any text: the answer must not reveal whether a user has this email address. */
export const readPasswordResetRequest = bodyReader(askPasswordReset.body)
export const readPasswordReset = bodyReader(resetPassword.body)
export const readRole = bodyReader(changeMember.body)
export const readInvitation = bodyReader(createInvitation.body)
export const readInvitationLink = bodyReader(showInvitation.body)
export const readAddressLink = bodyReader(proveAddress.body)
export const readAcceptance = bodyReader(acceptInvitation.body)
