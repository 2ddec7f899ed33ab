/** The limits of managers and cashiers, for owners. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { bindTick } from '../../parts/form/bind.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { amountToSend } from '../../parts/format/typed-amount.ts'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { SavedNote } from './saved-note.tsx'

export const Limits = () => {
  const limits = useApi('showLimits', { kinds: ['account'] })
  if (limits.isError) return <Problem problem={limits.error} retry={() => void limits.refetch()} />
  if (limits.data === undefined) return <Loading />
  return <LimitsForm key={JSON.stringify(limits.data)} limits={limits.data} />
}

type ShownLimits = Answer<'showLimits'>
const roles = ['manager', 'cashier'] as const

const LimitsForm = ({ limits }: { limits: ShownLimits }) => {
  const { t } = useWords(requestsWords)
  const change = useApiMutation('changeLimits', ['account'])
  const typedOf = ({ short_amount, booked_amount }: ShownLimits['manager']) => ({
    short_amount: short_amount ?? '',
    booked_amount: booked_amount ?? '',
  })
  const [amounts, setAmounts] = useState({ manager: typedOf(limits.manager), cashier: typedOf(limits.cashier) })
  const [cancel, setCancel] = useState(limits.cashier.cancel)
  const [takeSales, setTakeSales] = useState(limits.cashier.take_sales)
  const [otherDays, setOtherDays] = useState(limits.cashier.other_days)
  const sent = ({ short_amount, booked_amount }: (typeof amounts)['manager']) => ({
    short_amount: short_amount.trim() === '' ? null : amountToSend(short_amount),
    booked_amount: booked_amount.trim() === '' ? null : amountToSend(booked_amount),
  })
  const send = (event: FormEvent): void => {
    event.preventDefault()
    const cashier = { ...sent(amounts.cashier), cancel, take_sales: takeSales, other_days: otherDays }
    change.mutate({ body: { manager: sent(amounts.manager), cashier } })
  }
  const names = { short_amount: 'short', booked_amount: 'booked' } as const
  const errors = roles.flatMap((role) => Object.keys(names).map((field) => `${role}.${field}`))
  const isShownBeside = errors.some((attr) => fieldProblem(change.error, attr, t) !== undefined)
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {change.error !== null && !isShownBeside && <Problem problem={change.error} />}
        {roles.map((role) => (
          <Section key={role} title={t(`limits.${role}`)}>
            <Stack gap="sm" maw={400}>
              {(['short_amount', 'booked_amount'] as const).map((field) => (
                <TextInput
                  key={field}
                  label={t(`limits.${names[field]}`)}
                  description={t(`limits.${names[field]}Lead`)}
                  inputMode="decimal"
                  dir="ltr"
                  autoComplete="off"
                  value={amounts[role][field]}
                  onChange={(event) => {
                    const typed = event.currentTarget.value
                    setAmounts((before) => ({ ...before, [role]: { ...before[role], [field]: typed } }))
                  }}
                  error={fieldProblem(change.error, `${role}.${field}`, t)}
                />
              ))}
              {role === 'cashier' && (
                <>
                  <Checkbox label={t('limits.cancel')} {...bindTick(cancel, setCancel)} />
                  <Checkbox label={t('limits.takeSales')} {...bindTick(takeSales, setTakeSales)} />
                  <Checkbox
                    label={t('limits.otherDays')}
                    description={t('limits.otherDaysLead')}
                    {...bindTick(otherDays, setOtherDays)}
                  />
                </>
              )}
            </Stack>
          </Section>
        ))}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('part.save')}
          </Button>
          <SavedNote when={change.isSuccess} />
        </Group>
      </Stack>
    </form>
  )
}
