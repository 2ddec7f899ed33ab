/** The operator's list of the providers that all accounts share; each can be changed, and new ones added. */
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Count } from '../../parts/format/figures.tsx'
import { countryName, providerName } from '../../parts/format/provider-name.ts'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { ProviderForm } from './provider-form.tsx'

type Provider = Answer<'listSharedProviders'>[number]

export const Providers = () => {
  const { t, language } = useWords(operatorWords)
  const providers = useApi('listSharedProviders', { kinds: ['provider', 'template'] })
  const [editing, setEditing] = useState<Provider | 'new' | undefined>(undefined)
  const columns: Column<Provider>[] = [
    {
      head: t('field.name'),
      cell: ({ theme_color, ...provider }) => (
        <Group gap="xs" wrap="nowrap">
          <span
            aria-hidden
            style={{ width: 12, height: 12, borderRadius: 3, background: theme_color, flexShrink: 0 }}
          />
          <bdi>{providerName(provider, language)}</bdi>
        </Group>
      ),
    },
    { head: t('opProviders.name'), cell: ({ name }) => <Code>{name}</Code> },
    {
      head: t('field.country'),
      cell: ({ country }) => (country === '' ? '' : countryName(country, language)),
      blank: ({ country }) => country === '',
    },
    { head: t('field.state'), cell: ({ provider_status: status }) => t(`opProviders.status.${status}`) },
    { head: t('frame.wallets'), cell: ({ wallets }) => <Count>{wallets}</Count> },
    { head: t('opProviders.templates'), cell: ({ active_templates }) => <Count>{active_templates}</Count> },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      cell: (provider) => (
        <Button variant="default" size="compact-sm" onClick={() => setEditing(provider)}>
          {t('part.change')}
        </Button>
      ),
    },
  ]
  const add = <AddButton label={t('opProviders.new')} onClick={() => setEditing('new')} />
  return (
    <Stack gap="md">
      <Group justify="flex-end">{add}</Group>
      {providers.isError && <Problem problem={providers.error} retry={() => void providers.refetch()} />}
      {providers.isPending && <Loading />}
      {providers.data !== undefined &&
        (providers.data.length === 0 ? (
          <Empty action={add}>{t('opProviders.none')}</Empty>
        ) : (
          <Rows label={t('operator.providers')} rows={providers.data} columns={columns} keyOf={({ id }) => id} />
        ))}
      {editing !== undefined && (
        <ProviderForm provider={editing === 'new' ? undefined : editing} close={() => setEditing(undefined)} />
      )}
    </Stack>
  )
}
