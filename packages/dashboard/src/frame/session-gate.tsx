/**
 * The door: whoever is signed in passes, others meet the sign-in. Pages that are for people without a session (a link
 * from a mail) are reached past it.
 */
import { Center } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { setAccountLostHandler, setSignedOutHandler } from '../api/call.ts'
import { openLiveStream } from '../api/live-stream.ts'
import { useApi } from '../api/use-api.ts'
import { Problem } from '../parts/form/problem.tsx'
import { publicScreenAt } from '../screens/all.tsx'
import { useWords } from '../words/language.ts'
import { Logo } from './logo.tsx'
import { MeContext } from './session-context.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

export const SessionGate = () => {
  const client = useQueryClient()
  const [where] = useLocation()
  const [ended, setEnded] = useState(false)
  const open = publicScreenAt(where)
  const me = useApi('showMe', { kinds: ['user', 'account', 'member', 'session'], when: open === undefined })
  const signedIn = me.data !== undefined
  const account = me.data?.account?.id

  useEffect(() => {
    setSignedOutHandler(() => {
      setEnded(true)
      void client.resetQueries({ queryKey: ['showMe'] })
    })
    setAccountLostHandler(() => void client.resetQueries())
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream tells of the account that it was opened for
  useEffect(() => {
    if (!signedIn) return undefined
    setEnded(false)
    return openLiveStream(client)
  }, [client, signedIn, account])

  if (open !== undefined) return open
  if (me.isPending) return <Opening />
  if (me.isError && me.error.status !== 401)
    return (
      <Center mih="100vh" p="lg">
        <Problem problem={me.error} retry={() => void me.refetch()} />
      </Center>
    )
  // Somebody was signed in until now: the session was ended elsewhere.
  if (me.isError) return <SignIn ended={ended || signedIn} />
  return (
    <MeContext.Provider value={me.data}>
      <Shell />
    </MeContext.Provider>
  )
}

/** The same as the page shows before its scripts have come: nothing jumps. */
const Opening = () => {
  const { t } = useWords()
  return (
    <div className="opening" role="status" aria-label={t('part.loading')}>
      <Logo size={40} />
      <span>Sanad</span>
    </div>
  )
}
