/** The signed-in user for every screen: what they may do, and the time zone of the account (of the service, without one). */
import type { Me } from '@sanad/contract/dashboard/people/session'
import { createContext, useContext } from 'react'

export const MeContext = createContext<Me | null>(null)

export const useMe = () => {
  const me = useContext(MeContext)
  if (me === null) throw new Error('useMe() was called outside of the session gate')
  return {
    me,
    zone: me.account?.time_zone ?? me.service_time_zone,
    /** `self`: actions on the user's own profile, which every user may do, but not at a counter. */
    may: (action: string): boolean =>
      action === 'self' ? me.counter === null : action === 'operator' ? me.user.operator : me.actions.includes(action),
  }
}
