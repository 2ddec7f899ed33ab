/** The bodies of adding and changing a phone, and of giving a forwarding app access. */
import { changePhone, createPhone, ingestApps, letAppIn, setSigningKey } from '@sanad/contract/dashboard/wallets/phones'
import { bodyReader } from '../schema-reader.ts'

export const apps = ingestApps
export type AppName = (typeof apps)[number]

export const readNewPhone = bodyReader(createPhone.body)
export const readPhoneChanges = bodyReader(changePhone.body)
/** `signing_key` left out: a new one for apps that can sign. Null: the app does not sign. */
export const readAppAccess = bodyReader(letAppIn.body)
export const readSigningKey = bodyReader(setSigningKey.body)
