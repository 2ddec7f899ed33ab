/** The counters of the shop: this browser becomes one, and each can be changed, ended, or tried again after wrong PINs. */
import { Badge, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { endPush } from '../../../frame/push-agreement.ts'
import { useMe } from '../../../frame/session-context.ts'
import { AddButton } from '../../../parts/form/add-button.tsx'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { Code, When } from '../../../parts/format/figures.tsx'
import { type Column, Rows } from '../../../parts/list/rows.tsx'
import { Empty, Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { cashierWords } from '../../../words/till.ts'

type Counter = Answer<'listCounters'>[number]

const usualIdle_minutes = 10

export const Counters = () => {
  const { t } = useWords(cashierWords)
  const { may } = useMe()
  const counters = useApi('listCounters', { kinds: ['counter', 'member'] })
  const lift = useApiMutation('liftCounterPause', ['counter'])
  const [dialog, setDialog] = useState<'make' | { action: 'change' | 'end'; counter: Counter }>()
  const close = (): void => setDialog(undefined)
  const columns: Column<Counter>[] = [
    {
      head: t('tills.counter'),
      cell: (counter) => (
        <Stack gap={2} py={6}>
          <bdi title={counter.agent}>{counter.name}</bdi>
          {counter.paused_until !== null && (
            <Badge variant="light" color="red">
              {t('tills.paused')}
            </Badge>
          )}
        </Stack>
      ),
    },
    { head: t('tills.now'), cell: ({ cashier }) => (cashier === null ? t('tills.locked') : <bdi>{cashier}</bdi>) },
    { head: t('field.lastUsed'), cell: ({ last_used_at }) => <When at={last_used_at} /> },
    { head: t('field.networkAddress'), cell: ({ address }) => <Code>{address}</Code>, wideOnly: true },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      blank: () => !may('members.write'),
      cell: (counter) =>
        may('members.write') && (
          <Group gap={4} justify="flex-end">
            {counter.paused_until !== null && (
              <Button
                variant="default"
                size="compact-sm"
                loading={lift.isPending && lift.variables.path?.id === counter.id}
                onClick={() => lift.mutate({ path: { id: counter.id } })}
              >
                {t('tills.lift')}
              </Button>
            )}
            <Button variant="default" size="compact-sm" onClick={() => setDialog({ action: 'change', counter })}>
              {t('part.change')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              onClick={() => setDialog({ action: 'end', counter })}
            >
              {t('act.end')}
            </Button>
          </Group>
        ),
    },
  ]
  const make = may('members.write') && <AddButton label={t('tills.make')} onClick={() => setDialog('make')} />
  const isEmpty = counters.data?.length === 0
  return (
    <Section title={t('tills.title')} actions={!isEmpty && make}>
      {counters.isError && <Problem problem={counters.error} retry={() => void counters.refetch()} />}
      {lift.error !== null && <Problem problem={lift.error} />}
      {counters.isPending && <Loading rows={2} />}
      {isEmpty && <Empty action={make}>{t('tills.lead')}</Empty>}
      {counters.data !== undefined && counters.data.length > 0 && (
        <Rows label={t('tills.title')} rows={counters.data} columns={columns} keyOf={({ id }) => id} />
      )}
      {dialog === 'make' && <Make close={close} />}
      {typeof dialog === 'object' && dialog.action === 'change' && <Change counter={dialog.counter} close={close} />}
      {typeof dialog === 'object' && dialog.action === 'end' && <End counter={dialog.counter} close={close} />}
    </Section>
  )
}

const Fields = (props: {
  name: string
  setName: (name: string) => void
  idle: number
  setIdle: (idle: number) => void
  problem: Error | null
}) => {
  const { t } = useWords(cashierWords)
  return (
    <>
      <TextInput
        label={t('tills.name')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        value={props.name}
        onChange={(event) => props.setName(event.currentTarget.value)}
        error={fieldProblem(props.problem, 'name', t)}
      />
      <NumberInput
        label={t('tills.idle')}
        min={1}
        max={60}
        allowDecimal={false}
        hideControls
        dir="ltr"
        value={props.idle}
        onChange={(value) => props.setIdle(Number(value))}
        error={fieldProblem(props.problem, 'idle_minutes', t)}
      />
    </>
  )
}

/** The session of this browser ends: the page is loaded again and shows the locked counter. */
const Make = ({ close }: { close: () => void }) => {
  const { t } = useWords(cashierWords)
  const open = useApiMutation('openCounter', [])
  const [name, setName] = useState('')
  const [idle, setIdle] = useState(usualIdle_minutes)
  return (
    <FormModal
      title={t('tills.make')}
      submitLabel={t('tills.make')}
      call={{ isPending: open.isPending || open.isSuccess, error: open.error }}
      fields={['name', 'idle_minutes']}
      send={() =>
        open.mutate(
          { body: { name, idle_minutes: idle } },
          {
            onSuccess: () => {
              endPush()
              window.location.assign('/counter')
            },
          },
        )
      }
      close={close}
    >
      <Text>{t('tills.makeLead')}</Text>
      <Fields name={name} setName={setName} idle={idle} setIdle={setIdle} problem={open.error} />
    </FormModal>
  )
}

const Change = ({ counter, close }: { counter: Counter; close: () => void }) => {
  const { t } = useWords(cashierWords)
  const change = useApiMutation('changeCounter', ['counter'])
  const [name, setName] = useState(counter.name)
  const [idle, setIdle] = useState(counter.idle_minutes)
  return (
    <FormModal
      title={counter.name}
      submitLabel={t('part.change')}
      call={change}
      fields={['name', 'idle_minutes']}
      send={() => change.mutate({ path: { id: counter.id }, body: { name, idle_minutes: idle } }, { onSuccess: close })}
      close={close}
    >
      <Fields name={name} setName={setName} idle={idle} setIdle={setIdle} problem={change.error} />
    </FormModal>
  )
}

const End = ({ counter, close }: { counter: Counter; close: () => void }) => {
  const { t } = useWords(cashierWords)
  const end = useApiMutation('endCounter', ['counter', 'session'])
  return (
    <Confirm
      title={t('tills.endTitle', { name: counter.name })}
      submitLabel={t('act.end')}
      danger
      call={end}
      no={close}
      yes={() => end.mutate({ path: { id: counter.id } }, { onSuccess: close })}
    >
      <Text>{t('tills.endSure')}</Text>
    </Confirm>
  )
}
