/** Reads the bodies that sign a user in and that choose an account. */
import { AccountChoice, SignIn } from '@sanad/contract/dashboard/people/session'
import type { Credentials } from '../../../accounts/sessions/sign-in.ts'
import { type BodyReader, bodyReader, mapBody } from '../schema-reader.ts'

export const readSignIn: BodyReader<Credentials> = mapBody(bodyReader(SignIn), ({ account, ...credentials }) => ({
  ...credentials,
  accountId: account,
}))

export const readChosenAccount = bodyReader(AccountChoice)
