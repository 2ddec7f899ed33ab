/** Reads the bodies that create and change an account, sent by its members or by an operator. */
import { AccountQuota, NewAccount } from '@sanad/contract/dashboard/operator/accounts'
import { AccountChanges } from '@sanad/contract/dashboard/people/account'
import { bodyReader, mapBody } from '../schema-reader.ts'

export const readAccountChanges = mapBody(bodyReader(AccountChanges), ({ name, time_zone, country }) => ({
  name,
  timeZone: time_zone,
  country,
}))

export const readNewAccount = mapBody(bodyReader(NewAccount), ({ name, monthly_intent_quota, time_zone }) => ({
  name,
  quota: monthly_intent_quota,
  timeZone: time_zone,
}))

export const readQuota = bodyReader(AccountQuota)
