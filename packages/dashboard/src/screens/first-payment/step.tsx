/** One step of the guide: its number or a check mark, its name and its content. Its explanation is left out once it is done. */
import { Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { firstPaymentWords } from '../../words/screens/first-payment.ts'
import classes from './first-payment.module.css'

export const Step = (props: {
  number: number
  name: string
  lead: string
  state: 'before' | 'now' | 'done'
  children?: ReactNode
}) => {
  const { t } = useWords(firstPaymentWords)
  const { number, state } = props
  return (
    <li className={`card ${classes.step}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={`${classes.mark} ${state === 'done' ? classes.done : ''}`} aria-hidden>
        {state === 'done' ? <IconCircleCheck size={28} /> : number}
      </span>
      <Stack gap="xs" miw={0}>
        <Title order={2}>
          <VisuallyHidden>
            {t('first.step', { number })}
            {state === 'done' ? ` (${t('first.done')})` : ''}:{' '}
          </VisuallyHidden>
          {props.name}
        </Title>
        {state !== 'done' && <Text c="dimmed">{props.lead}</Text>}
        {props.children}
      </Stack>
    </li>
  )
}
