/** After a change was refused because it needs an owner: says why, and asks the owner with one touch. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { ProblemAnswer } from '../../api/call.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'
import { reasonsText } from './approval.ts'

/** What of a refused change needs an owner; empty: it was refused for another reason. */
export const ownerReasons = (problem: Error | null): string[] =>
  problem instanceof ProblemAnswer && problem.has('owner_only')
    ? (problem.facts.reasons ?? '').split(',').filter((reason) => reason !== '')
    : []

export const AskOwner = (props: {
  reasons: readonly string[]
  isAsked: boolean
  busy: boolean
  problem: Error | null
  ask: () => void
}) => {
  const { t } = useWords(approvalsWords)
  if (props.isAsked)
    return (
      <Alert color="teal" role="status">
        {t('approvals.asked')}
      </Alert>
    )
  return (
    <Alert color="yellow" role="alert">
      <Text>{t('approvals.needsOwner', { reasons: reasonsText(props.reasons, t) })}</Text>
      {props.problem !== null && <Problem problem={props.problem} />}
      <Group mt="sm">
        <Button loading={props.busy} onClick={props.ask}>
          {t('approvals.ask')}
        </Button>
      </Group>
    </Alert>
  )
}
