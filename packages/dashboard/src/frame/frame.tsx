/** The outermost component: theme, direction, query client, and the session. */
import { DirectionProvider, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ProblemAnswer } from '../api/call.ts'
import { onReconnect, watchConnection } from '../api/connection.ts'
import { directionOf, useWords } from '../words/language.ts'
import { readPreference } from '../words/preferences.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { ProofGate } from './proof/proof-gate.tsx'
import { SessionGate } from './session-gate.tsx'
import { colourVariables, theme } from './theme.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A refusal is final. A call without an answer is tried once more; then it waits until the service answers again.
      retry: (failures, problem) =>
        problem instanceof ProblemAnswer && problem.unanswered !== undefined && failures < 1,
      refetchOnWindowFocus: true,
      refetchOnReconnect: false,
      // The browser only guesses whether it is online: a call is made, and fails with a text.
      networkMode: 'always',
    },
    // A change is never sent later, when the user has left the form.
    mutations: { networkMode: 'always' },
  },
})

// The Content-Security-Policy allows styles with this nonce, which is new for every page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// The scroll lock behind dialogs writes a style element and reads the nonce from this global.
Reflect.set(globalThis, '__webpack_nonce__', nonce)

export const Frame = () => {
  const { t, language } = useWords()
  const [direction] = useState(() => directionOf(language))
  useEffect(() => {
    document.documentElement.style.setProperty('--sanad-row', readPreference('density') === 'dense' ? '36px' : '44px')
  }, [])
  useEffect(() => {
    const unsubscribe = onReconnect(() => {
      // Deferred, so that reads that were lost with the connection have failed before.
      setTimeout(() => void queryClient.invalidateQueries())
    })
    const end = watchConnection()
    return () => {
      unsubscribe()
      end()
    }
  }, [])
  const scheme = readPreference('theme')
  // Buttons that only have an icon get a label.
  const labelledTheme = mergeThemeOverrides(theme, {
    components: {
      Modal: { defaultProps: { closeButtonProps: { 'aria-label': t('part.close') } } },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t('part.close') } } },
    },
  })
  return (
    <DirectionProvider initialDirection={direction} detectDirection key={language}>
      <MantineProvider
        theme={labelledTheme}
        getStyleNonce={() => nonce}
        cssVariablesResolver={colourVariables}
        defaultColorScheme={scheme === 'light' || scheme === 'dark' ? scheme : 'auto'}
      >
        <QueryClientProvider client={queryClient}>
          <ErrorBoundary>
            <SessionGate />
          </ErrorBoundary>
          <ProofGate />
          <ConnectionNotice />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
