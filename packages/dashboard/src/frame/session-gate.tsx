/**
 * Shows the dashboard to a signed-in user and the sign-in page to others. Public pages (the target of a link in a mail)
 * are shown without a session.
 */
import { Center } from '@mantine/core'
import type { Me } from '@sanad/contract/dashboard/people/session'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import {
  call,
  setAccountLostHandler,
  setAccountMovedHandler,
  setFactorNeededHandler,
  setSignedOutHandler,
  signedOutByUser,
} from '../api/call.ts'
import { openLiveStream } from '../api/live-stream.ts'
import { loadFile } from '../api/load-file.ts'
import { useApi } from '../api/use-api.ts'
import { Problem } from '../parts/form/problem.tsx'
import { publicScreenAt } from '../screens/all.tsx'
import { useWords } from '../words/language.ts'
import { Logo } from './logo.tsx'
import { MeContext } from './session-context.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

// A locked counter: its own small file.
const LockScreen = lazy(() => loadFile(() => import('./till/lock-screen.tsx')))
// Few users ever see it.
const MovedPage = lazy(() => loadFile(() => import('../screens/signed-out/moved.tsx')))
const FactorGate = lazy(() => loadFile(() => import('../screens/settings/factor/factor-gate.tsx')))

/** Whether the user can do nothing but set up a second factor. An operator who is a member too still has the work of a member. */
const mustSetUp = (me: Me): boolean =>
  me.second_factor_due?.over === true || (me.operator_needs_factor && me.account === null)

export const SessionGate = () => {
  const client = useQueryClient()
  const [location] = useLocation()
  const [ended, setEnded] = useState(false)
  const [movedTo, setMovedTo] = useState<string>()
  const publicScreen = publicScreenAt(location)
  const me = useApi('showMe', { kinds: ['user', 'account', 'member', 'session'], when: publicScreen === undefined })
  const signedIn = me.data !== undefined
  const account = me.data?.account?.id
  const cashier = me.data === undefined || me.data.counter === null ? undefined : me.data.user.id
  const isGated = me.data !== undefined && mustSetUp(me.data)
  // The page of the set-up stays until the user goes on: it shows the recovery codes.
  const [wasGated, setWasGated] = useState(false)
  const showsGate = isGated || (wasGated && me.data?.user.second_factor === true)
  useEffect(() => {
    if (isGated) setWasGated(true)
  }, [isGated])

  useEffect(() => {
    setSignedOutHandler(() => {
      setEnded(true)
      void client.resetQueries({ queryKey: ['showMe'] })
    })
    setAccountLostHandler(() => void client.resetQueries())
    setAccountMovedHandler(setMovedTo)
    setFactorNeededHandler(() => void client.invalidateQueries({ queryKey: ['showMe'] }))
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream belongs to the account that it was opened for
  useEffect(() => {
    if (!signedIn || showsGate) return undefined
    setEnded(false)
    return openLiveStream(client)
  }, [client, signedIn, showsGate, account, cashier])

  /** Another account of the user that is used here; if there is none, the sign-in page. */
  const stay = async (): Promise<void> => {
    await call('showMe').catch(() => call('signOut').catch(() => {}))
    setMovedTo(undefined)
    await client.resetQueries()
  }
  if (movedTo !== undefined)
    return (
      <Suspense fallback={<Opening />}>
        <MovedPage origin={movedTo} stay={stay} />
      </Suspense>
    )
  if (publicScreen !== undefined) return publicScreen
  if (me.isPending) return <Opening />
  if (me.isError && me.error.status !== 401)
    return (
      <Center mih="100vh" p="lg">
        <Problem problem={me.error} retry={() => void me.refetch()} />
      </Center>
    )
  if (me.isError && me.error.has('counter_locked'))
    return (
      <Suspense fallback={<Opening />}>
        <LockScreen />
      </Suspense>
    )
  // The user was signed in until now: the session was ended elsewhere, unless they are signing out.
  if (me.isError) return <SignIn ended={(ended || signedIn) && !signedOutByUser()} />
  return (
    <MeContext.Provider value={me.data}>
      {showsGate ? (
        <Suspense fallback={<Opening />}>
          <FactorGate goOn={() => setWasGated(false)} />
        </Suspense>
      ) : (
        // Another cashier begins with a new page: no undo, no dialog and no draft of the cashier before.
        <Shell key={cashier ?? 'user'} />
      )}
    </MeContext.Provider>
  )
}

/** The same as in index.html before the scripts are loaded: nothing jumps. */
const Opening = () => {
  const { t } = useWords()
  return (
    <div className="opening" role="status" aria-label={t('part.loading')}>
      <Logo size={40} />
      <span>Sanad</span>
    </div>
  )
}
