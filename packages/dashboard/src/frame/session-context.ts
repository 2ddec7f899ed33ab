/** Who is signed in, for every screen: what they may do, and where their days begin. */
import type { Me } from '@sanad/contract/dashboard/people/session'
import { createContext, useContext } from 'react'

export const MeContext = createContext<Me | null>(null)

export const useMe = () => {
  const me = useContext(MeContext)
  if (me === null) throw new Error('a screen outside of the door')
  return {
    me,
    zone: me.account?.time_zone ?? 'Asia/Aden',
    /** `self` is what whoever is signed in may do, of themselves. */
    may: (action: string): boolean =>
      action === 'self' || (action === 'operator' ? me.user.operator : me.actions.includes(action)),
  }
}
