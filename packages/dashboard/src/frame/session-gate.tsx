/**
 * The door: whoever is signed in passes, others meet the sign-in. Pages that are for people without a session (a link
 * from a mail) are reached past it.
 */
import { Center } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useAsk } from '../api/ask.ts'
import { whenAccountLost, whenSignedOut } from '../api/call.ts'
import { listen } from '../api/live.ts'
import { Trouble } from '../parts/form/problem.tsx'
import { openScreenAt } from '../screens/all.tsx'
import { useWords } from '../words/language.ts'
import { Logo } from './logo.tsx'
import { MeContext } from './me.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

export const Door = () => {
  const client = useQueryClient()
  const [where] = useLocation()
  const [ended, setEnded] = useState(false)
  const open = openScreenAt(where)
  const me = useAsk('showMe', { kinds: ['user', 'account', 'member', 'session'], when: open === undefined })
  const signedIn = me.data !== undefined
  const account = me.data?.account?.id

  useEffect(() => {
    whenSignedOut(() => {
      setEnded(true)
      void client.resetQueries({ queryKey: ['showMe'] })
    })
    whenAccountLost(() => void client.resetQueries())
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream tells of the account that it was opened for
  useEffect(() => {
    if (!signedIn) return undefined
    setEnded(false)
    return listen(client)
  }, [client, signedIn, account])

  if (open !== undefined) return open
  if (me.isPending) return <Opening />
  if (me.isError && me.error.status !== 401)
    return (
      <Center mih="100vh" p="lg">
        <Trouble problem={me.error} again={() => void me.refetch()} />
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
