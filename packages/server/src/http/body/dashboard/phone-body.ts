/** Reads the bodies that add and change a phone, and that give a forwarding app access. */
import { changePhone, createPhone, ingestApps, letAppIn, setSigningKey } from '@sanad/contract/dashboard/wallets/phones'
import { bodyReader } from '../schema-reader.ts'

export const apps = ingestApps

export const readNewPhone = bodyReader(createPhone.body)
export const readPhoneChanges = bodyReader(changePhone.body)
/** Without `signing_key`, an app that can sign gets a new key. Null: the app does not sign. */
export const readAppAccess = bodyReader(letAppIn.body)
export const readSigningKey = bodyReader(setSigningKey.body)
