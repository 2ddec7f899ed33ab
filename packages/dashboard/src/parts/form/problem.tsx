/** An error message in the user's language: what went wrong, whether money is affected, and what to do. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ProblemAnswer } from '../../api/call.ts'
import { type Translate, useWords } from '../../words/language.ts'
import { refusalText } from '../format/refusal-text.ts'

const unansweredTexts = {
  reads: 'problem.unreachable',
  not_sent: 'problem.notSent',
  unknown: 'problem.maybeDone',
} as const

/**
 * The text of a problem. The error of a field is shown beside the field; the text of a business rule may be the
 * server's.
 */
export const problemText = (problem: Error, t: Translate): string => {
  if (!(problem instanceof ProblemAnswer)) return t('problem.fault')
  if (problem.unanswered !== undefined) return t(unansweredTexts[problem.unanswered])
  if (problem.status === 429) return t('problem.throttled', { count: problem.retryAfter_s ?? 60 })
  if (problem.has('confirmation_required')) return t('refused.confirmation_required')
  if (problem.status === 403) return t('problem.denied')
  if (problem.status === 404) return t('problem.gone')
  if (problem.status >= 500) return t('problem.fault')
  const [first] = problem.errors
  return first === undefined ? t('problem.fault') : refusalText(first, t, problem.facts)
}

/** The error of a field, or of a part of it, for its input. */
export const fieldProblem = (problem: Error | null, attr: string, t: Translate): string | undefined => {
  if (!(problem instanceof ProblemAnswer)) return undefined
  const found = problem.errors.find((error) => error.attr === attr || error.attr?.startsWith(`${attr}.`))
  return found === undefined ? undefined : refusalText(found, t, problem.facts)
}

/** Handles the failure of a call whose dialog or card already shows the error. */
export const ignoreShownError = (): void => {}

export const Problem = ({ problem, retry }: { problem: Error; retry?: () => void }) => {
  const { t } = useWords()
  if (problem instanceof ProblemAnswer && problem.ask !== undefined)
    return <AskManager key={problem.message} ask={problem.ask} />
  // A retry would not help.
  const final = problem instanceof ProblemAnswer && (problem.status === 403 || problem.status === 404)
  const unanswered = problem instanceof ProblemAnswer ? problem.unanswered : undefined
  return (
    <Alert
      color={unanswered === undefined ? 'red' : 'yellow'}
      variant="light"
      title={t(unanswered === undefined ? 'problem.title' : 'connection.title')}
      role="alert"
    >
      <Text size="md">{problemText(problem, t)}</Text>
      {retry !== undefined && !final && (
        <Group mt="sm">
          <Button variant="default" size="xs" onClick={retry}>
            {t('part.retry')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}

/** What is over the user's limit waits for a manager: asked for with one touch. */
const AskManager = ({ ask }: { ask: () => Promise<unknown> }) => {
  const { t } = useWords()
  const [state, setState] = useState<'idle' | 'busy' | 'asked' | Error>('idle')
  const send = (): void => {
    setState('busy')
    ask().then(
      () => setState('asked'),
      (problem: Error) => setState(problem),
    )
  }
  if (state === 'asked')
    return (
      <Alert color="teal" role="status">
        {t('limit.asked')}
      </Alert>
    )
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Text>{t('limit.over')}</Text>
      {state instanceof Error && <Text fw={600}>{problemText(state, t)}</Text>}
      <Group mt="sm">
        <Button loading={state === 'busy'} onClick={send}>
          {t('limit.ask')}
        </Button>
      </Group>
    </Alert>
  )
}
