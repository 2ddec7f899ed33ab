/** What went wrong, whether money is affected, and what to do: in the person's language. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { ProblemAnswer } from '../../api/call.ts'
import { type Translate, useWords } from '../../words/language.ts'
import { refusalText } from '../format/refusal-text.ts'

/** The sentence of a problem. A field's own sentence stands beside its field; what a rule refused is the server's. */
export const problemText = (problem: Error, t: Translate): string => {
  if (!(problem instanceof ProblemAnswer)) return t('problem.fault')
  if (problem.status === 0) return t('problem.unreachable')
  if (problem.status === 429) return t('problem.throttled', { count: problem.retryAfter_s ?? 60 })
  if (problem.status === 403) return t('problem.denied')
  if (problem.status === 404) return t('problem.gone')
  if (problem.status >= 500) return t('problem.fault')
  const [first] = problem.errors
  return first === undefined ? t('problem.fault') : refusalText(first, t, problem.facts)
}

/** What is wrong with a field, or with a part of it, for the input that it belongs to. */
export const fieldProblem = (problem: Error | null, attr: string, t: Translate): string | undefined => {
  if (!(problem instanceof ProblemAnswer)) return undefined
  const found = problem.errors.find((error) => error.attr === attr || error.attr?.startsWith(`${attr}.`))
  return found === undefined ? undefined : refusalText(found, t, problem.facts)
}

export const Problem = ({ problem, retry }: { problem: Error; retry?: () => void }) => {
  const { t } = useWords()
  // What is gone or not theirs stays so.
  const final = problem instanceof ProblemAnswer && (problem.status === 403 || problem.status === 404)
  return (
    <Alert color="red" variant="light" title={t('problem.title')} role="alert">
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
