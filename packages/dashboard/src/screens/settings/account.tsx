/** The account: its name, time zone and country, and the use of its quota. */
import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { CountrySelect } from '../../parts/form/country-select.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { inDigits } from '../../words/digits.ts'
import { dayName, grouped } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { SavedNote } from './saved-note.tsx'
import { TimeZone } from './time-zone.tsx'

type ShownAccount = Answer<'showAccount'>

export const Account = () => {
  const { t } = useWords(settingsWords)
  const { may } = useMe()
  const account = useApi('showAccount', { kinds: ['account', 'intent'] })
  if (account.isError) return <Problem problem={account.error} retry={() => void account.refetch()} />
  if (account.data === undefined) return <Loading />
  const { id, name, time_zone, created_at } = account.data
  return (
    <Stack gap="md">
      <Section title={t('frame.account')}>
        {may('account.write') && <AccountForm key={id} account={account.data} />}
        <Stack component="dl" gap="xs" m={0} maw={520}>
          {!may('account.write') && (
            <>
              <DetailRow name={t('account.name')} value={name} />
              <DetailRow name={t('field.timeZone')} value={<Code>{time_zone}</Code>} />
            </>
          )}
          <DetailRow name={t('field.created')} value={<When at={created_at} />} />
          <DetailRow name={t('field.id')} value={<Code>{id}</Code>} />
        </Stack>
      </Section>
      <Quota account={account.data} />
    </Stack>
  )
}

const AccountForm = ({ account }: { account: ShownAccount }) => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const change = useApiMutation('changeAccount', ['account'])
  const savedZone = account.own_time_zone ? account.time_zone : ''
  const [name, setName] = useState(account.name)
  const [zone, setZone] = useState(savedZone)
  const [country, setCountry] = useState(account.country)
  const isUnchanged = name === account.name && zone === savedZone && country === account.country
  const errorOf = (attr: string) => fieldProblem(change.error, attr, t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { name, time_zone: zone, country } })
  }
  return (
    <form onSubmit={send}>
      <Stack gap="sm" maw={400}>
        {change.error !== null && !['name', 'time_zone', 'country'].some(errorOf) && <Problem problem={change.error} />}
        <TextInput
          label={t('account.name')}
          required
          maxLength={200}
          {...bindText(name, setName)}
          error={errorOf('name')}
        />
        <TimeZone value={zone} ofService={me.service_time_zone} choose={setZone} error={errorOf('time_zone')} />
        <CountrySelect
          label={t('field.country')}
          description={t('account.countryLead')}
          value={country}
          onChange={setCountry}
          error={errorOf('country')}
        />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending} disabled={isUnchanged}>
            {t('part.save')}
          </Button>
          <SavedNote when={change.isSuccess && isUnchanged} />
        </Group>
      </Stack>
    </form>
  )
}

const Quota = ({ account }: { account: ShownAccount }) => {
  const { t, language } = useWords(settingsWords)
  const { monthly, used, month_from } = account.quota
  const figure = (count: number): string => inDigits(grouped(String(count)), language)
  const share = monthly === null ? 0 : monthly === 0 ? 100 : Math.min(100, (used / monthly) * 100)
  const usage =
    monthly === null
      ? t('account.quotaFree', { count: used })
      : t('account.quotaUsed', { used: figure(used), monthly: figure(monthly) })
  return (
    <Section
      title={t('account.quota')}
      lead={t('account.quotaLead', { when: dayName(month_from, language, account.time_zone) })}
    >
      <Text fw={600}>{usage}</Text>
      {monthly !== null && <Progress value={share} aria-label={usage} color={share >= 90 ? 'red' : 'stamp'} />}
    </Section>
  )
}
