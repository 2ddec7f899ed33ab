/** The bodies of making, renaming and rotating an API key. */
import { createKey, rotateKey } from '@sanad/contract/dashboard/people/keys'
import { bodyReader } from '../schema-reader.ts'

export const readKeyName = bodyReader(createKey.body)

// Not left to a default: how long a secret that may have leaked goes on working is the owner's decision.
export const readKeyRotation = bodyReader(rotateKey.body)
