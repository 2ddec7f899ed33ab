/** All shared templates, filtered by provider and state. */

import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useApi, usePagedList } from '../../api/use-api.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { FilterSelect } from '../../parts/form/select.tsx'
import { Count, NameList } from '../../parts/format/figures.tsx'
import { providerName, providerOptions } from '../../parts/format/provider-name.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { filtersIn, withFilters } from '../../parts/list/url-filters.ts'
import { Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { type Template, templateStates } from './shared-template.ts'
import { TemplateForm } from './template-form.tsx'

export const Templates = () => {
  const { t, language } = useWords(operatorWords)
  const [, go] = useLocation()
  const [params, setParams] = useSearchParams()
  const [isCreating, setCreating] = useState(false)
  const providers = useApi('listSharedProviders', { kinds: ['provider'] })
  const [provider, status] = [params.get('provider'), params.get('status')]
  const list = usePagedList('listSharedTemplates', {
    query: { ...filtersIn<'listSharedTemplates'>(params, ['provider', 'status']), page_size: 25 },
    kinds: ['template'],
  })
  const set = (name: string, value: string | null): void =>
    setParams((params) => withFilters(params, { [name]: value ?? '' }))
  const nameOf = (id: string): string => {
    const found = providers.data?.find((candidate) => candidate.id === id)
    return found === undefined ? '' : providerName(found, language)
  }
  const columns: Column<Template>[] = [
    { head: t('field.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { head: t('field.provider'), cell: (template) => <bdi>{nameOf(template.provider)}</bdi> },
    { head: t('field.state'), cell: (template) => t(`opTemplates.status.${template.status}`) },
    { head: t('field.version'), cell: ({ version }) => <Count>{version}</Count> },
    { head: t('opTemplates.direction'), cell: ({ direction }) => t(`opTemplates.direction.${direction}`) },
    { head: t('opTemplates.senders'), cell: ({ sender_names }) => <NameList>{sender_names}</NameList> },
  ]
  const add = <AddButton label={t('act.newTemplate')} onClick={() => setCreating(true)} />
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <FilterSelect
          label={t('field.provider')}
          data={providerOptions(providers.data ?? [], language)}
          value={provider}
          onChange={(value) => set('provider', value)}
          flex={1}
          miw={160}
        />
        <FilterSelect
          label={t('field.state')}
          data={templateStates.map((value) => ({ value, label: t(`opTemplates.status.${value}`) }))}
          value={status}
          onChange={(value) => set('status', value)}
          flex={1}
          miw={140}
        />
        {add}
      </Group>
      <GrowingList list={list} empty={<Empty action={add}>{t('opTemplates.none')}</Empty>}>
        {(rows) => (
          <Rows
            label={t('frame.templates')}
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/operator/templates/${id}`}
          />
        )}
      </GrowingList>
      {isCreating && (
        <TemplateForm
          previous={undefined}
          onSuccess={({ template }) => go(`/operator/templates/${template.id}`)}
          close={() => setCreating(false)}
        />
      )}
    </Stack>
  )
}
