/** The state of a delivery as text, with the time of the next attempt if one has failed. */

import { Text } from '@mantine/core'
import type { DeliveryState as State } from '@sanad/contract/kinds'
import { When } from '../../parts/format/figures.tsx'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'

type ShownDelivery = {
  readonly state: State
  readonly attempts: number
  readonly next_attempt_at: string | null
}

const colours: Readonly<Record<ShownDelivery['state'], string>> = {
  waiting: 'inherit',
  sending: 'inherit',
  disabled: 'inherit',
  delivered: 'var(--sanad-verified)',
  retrying: 'var(--sanad-wrong)',
  exhausted: 'var(--sanad-wrong)',
}

export const DeliveryState = ({ delivery: { state, next_attempt_at: next } }: { delivery: ShownDelivery }) => {
  const { t } = useWords(intentsWords)
  return (
    <>
      <Text component="span" inherit c={colours[state]}>
        {t(`intent.told.${state}`)}
      </Text>
      {state === 'retrying' && next !== null && (
        <Text component="span" size="sm" c="dimmed" display="block">
          {t('field.nextAttempt')} <When at={next} />
        </Text>
      )}
    </>
  )
}
