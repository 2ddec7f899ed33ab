/** The frame around everything: theme, direction, questions and answers, and who is signed in. */
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ProblemAnswer } from '../api/call.ts'
import { directionOf, kept, useWords } from '../words/language.ts'
import { Door } from './door.tsx'
import { colours, theme } from './theme.ts'

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

export const Frame = () => {
  const { language } = useWords()
  const [direction] = useState(() => directionOf(language))
  useEffect(() => {
    document.documentElement.style.setProperty('--sanad-row', kept('density') === 'dense' ? '36px' : '44px')
  }, [])
  const scheme = kept('theme')
  return (
    <DirectionProvider initialDirection={direction} detectDirection key={language}>
      <MantineProvider
        theme={theme}
        getStyleNonce={() => nonce}
        cssVariablesResolver={colours}
        defaultColorScheme={scheme === 'light' || scheme === 'dark' ? scheme : 'auto'}
      >
        <QueryClientProvider client={questions}>
          <Door />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
