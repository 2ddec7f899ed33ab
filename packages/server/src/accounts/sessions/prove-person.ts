/** Checks a proof that the signed-in person is there: the password, or a code of the second factor. The caller counts tries. */
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { passwordFits } from '../people/password.ts'
import type { SecondFactor } from './second-factor.ts'
import { type Credentials, takeOwnCode } from './set-up-second-factor.ts'

type Proved = { readonly proved: true }

/** Slow: hashes the password. */
export const proveByPassword = async (
  own: Credentials,
  password: string,
): Promise<Proved | Refusal<'password_wrong' | 'sign_in_busy'>> => {
  const fits = await passwordFits(own.password_hash, password)
  if (fits === 'busy') return refuse('sign_in_busy')
  return fits ? { proved: true } : refuse('password_wrong')
}

/** Uses up the code, or the recovery code. Called in a transaction. */
export const proveByCode = async (
  tx: Session,
  factor: SecondFactor,
  own: Credentials,
  code: string,
  now: Instant,
): Promise<Proved | Refusal<'second_factor_off' | 'code_wrong'>> =>
  (await takeOwnCode(tx, factor, own, code, now)) ?? { proved: true }
