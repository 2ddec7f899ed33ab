/** A phone as it is answered. */
import type { Answer } from '../../api/call.ts'

export type Phone = Answer<'showPhone'>
export type Pairing = Answer<'pairPhone'>['pairing']
