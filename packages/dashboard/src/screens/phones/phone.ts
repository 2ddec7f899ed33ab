/** The API type of a phone. */
import type { Answer } from '../../api/call.ts'

export type Phone = Answer<'showPhone'>
export type Pairing = Answer<'pairPhone'>['pairing']
