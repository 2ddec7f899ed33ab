/**
 * Shows the dashboard to a signed-in user and the sign-in page to others. Public pages (the target of a link in a mail)
 * are shown without a session.
 */
import { Center } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { setAccountLostHandler, setSignedOutHandler, signedOutByUser } from '../api/call.ts'
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

export const SessionGate = () => {
  const client = useQueryClient()
  const [location] = useLocation()
  const [ended, setEnded] = useState(false)
  const publicScreen = publicScreenAt(location)
  const me = useApi('showMe', { kinds: ['user', 'account', 'member', 'session'], when: publicScreen === undefined })
  const signedIn = me.data !== undefined
  const account = me.data?.account?.id
  const cashier = me.data === undefined || me.data.counter === null ? undefined : me.data.user.id

  useEffect(() => {
    setSignedOutHandler(() => {
      setEnded(true)
      void client.resetQueries({ queryKey: ['showMe'] })
    })
    setAccountLostHandler(() => void client.resetQueries())
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream belongs to the account that it was opened for
  useEffect(() => {
    if (!signedIn) return undefined
    setEnded(false)
    return openLiveStream(client)
  }, [client, signedIn, account, cashier])

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
      {/* Another cashier begins with a new page: no undo, no dialog and no draft of the cashier before. */}
      <Shell key={cashier ?? 'user'} />
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
