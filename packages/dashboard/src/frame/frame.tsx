/** The frame around everything: theme, direction, questions and answers, and who is signed in. */
import { DirectionProvider, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ProblemAnswer } from '../api/call.ts'
import { directionOf, useWords } from '../words/language.ts'
import { readPreference } from '../words/preferences.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { SessionGate } from './session-gate.tsx'
import { colourVariables, theme } from './theme.ts'

const questions = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A "no" stays a no; only a service that is away is asked again.
      retry: (failures, problem) => problem instanceof ProblemAnswer && problem.status === 0 && failures < 3,
      refetchOnWindowFocus: true,
    },
  },
})

// The policy of the page allows styles that carry this word, which is new with every page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// What keeps the page still behind a dialog writes a style of its own, and looks for the word here.
Reflect.set(globalThis, '__webpack_nonce__', nonce)

export const Frame = () => {
  const { t, language } = useWords()
  const [direction] = useState(() => directionOf(language))
  useEffect(() => {
    document.documentElement.style.setProperty('--sanad-row', readPreference('density') === 'dense' ? '36px' : '44px')
  }, [])
  const scheme = readPreference('theme')
  // Buttons that are only a sign say what they do.
  const named = mergeThemeOverrides(theme, {
    components: {
      Modal: { defaultProps: { closeButtonProps: { 'aria-label': t('part.close') } } },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t('part.close') } } },
    },
  })
  return (
    <DirectionProvider initialDirection={direction} detectDirection key={language}>
      <MantineProvider
        theme={named}
        getStyleNonce={() => nonce}
        cssVariablesResolver={colourVariables}
        defaultColorScheme={scheme === 'light' || scheme === 'dark' ? scheme : 'auto'}
      >
        <QueryClientProvider client={questions}>
          <ErrorBoundary>
            <SessionGate />
          </ErrorBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
