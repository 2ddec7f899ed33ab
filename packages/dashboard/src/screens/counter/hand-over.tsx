/** Marks a paid order as handed over; and the text of that mark. */
import { Button } from '@mantine/core'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ignoreShownError, Problem } from '../../parts/form/problem.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { userName } from '../../parts/format/user-name.ts'
import { momentText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import classes from './counter.module.css'

export type HandedOver = { readonly by: string; readonly at: string }

export const useHandedOverText = (): ((mark: HandedOver) => string) => {
  const { t, language } = useWords(counterWords)
  const { zone } = useMe()
  const now = useNow()
  return ({ by, at }) => t('counter.handedOver', { by: userName(by), when: momentText(at, now, language, zone) })
}

export const HandOver = ({ intent, large = false }: { intent: string; large?: boolean }) => {
  const { t } = useWords(counterWords)
  const { may } = useMe()
  const mark = useApiMutation('handOver', ['intent', 'alert'])
  if (!may('sales.write')) return null
  return (
    <>
      <Button
        variant="default"
        {...(large ? { size: 'lg' } : {})}
        className={(large ? classes.handOver : classes.lineAction) ?? ''}
        loading={mark.isPending}
        onClick={() => void mark.mutateAsync({ path: { id: intent } }).then(() => {}, ignoreShownError)}
      >
        {t('counter.handOver')}
      </Button>
      {mark.error !== null && <Problem problem={mark.error} />}
    </>
  )
}
