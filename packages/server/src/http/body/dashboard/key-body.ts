/** Reads the bodies that create, rename and rotate an API key. */
import { createKey, rotateKey } from '@sanad/contract/dashboard/people/keys'
import { bodyReader } from '../schema-reader.ts'

export const readKeyName = bodyReader(createKey.body)

// The overlap has no default: the owner must decide how long a secret that may have leaked keeps working.
export const readKeyRotation = bodyReader(rotateKey.body)
