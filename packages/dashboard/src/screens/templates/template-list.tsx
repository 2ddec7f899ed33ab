/** All templates by provider: the operator's (read-only) and the account's own. */
import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Code, Count } from '../../parts/format/figures.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { slotNameOf } from './marks.ts'
import { ProviderForm } from './provider-form.tsx'
import { type Provider, slotsIn, type Template } from './template.ts'
import { templateName } from './template-name.ts'
import { TemplateState } from './template-state.tsx'

const views = ['inUse', 'own', 'retired'] as const
type View = (typeof views)[number]

const isInView: Readonly<Record<View, (template: Template) => boolean>> = {
  inUse: ({ status }) => status !== 'retired',
  own: ({ shared }) => !shared,
  retired: ({ status }) => status === 'retired',
}

export const TemplateList = () => {
  const { t } = useWords(templatesWords)
  const { may } = useMe()
  const [view, setView] = useState<View>('inUse')
  const providers = usePagedList('listProviders', {
    query: firstPage.providers,
    kinds: ['provider', 'template', 'wallet'],
  })
  const templates = usePagedList('listTemplates', { query: firstPage.templates, kinds: ['template'] })
  const add = may('templates.write') && (
    <Button component={Link} href="/templates/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('act.newTemplate')}
    </Button>
  )
  return (
    <Page title={t('frame.templates')} actions={add}>
      <Text c="dimmed" mt={-16} maw={720}>
        {t('templates.lead')}
      </Text>
      <SegmentedControl
        aria-label={t('act.show')}
        value={view}
        onChange={(chosen) => setView(chosen as View)}
        data={views.map((name) => ({ value: name, label: t(`templates.view.${name}`) }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <GrowingList list={providers} empty={<Empty action={add}>{t('templates.none')}</Empty>}>
        {(all) => (
          <GrowingList list={templates} empty={<Empty action={add}>{t('templates.none')}</Empty>}>
            {(rows) => {
              const shown = rows.filter(isInView[view])
              const listed = [...all]
                .sort((one, other) => weight(other) - weight(one))
                .filter(
                  ({ id, shared }) => (!shared && view !== 'retired') || shown.some(({ provider }) => provider === id),
                )
              if (listed.length === 0) return <Empty action={add}>{t(`templates.none.${view}`)}</Empty>
              return listed.map((provider) => (
                <OfProvider
                  key={provider.id}
                  provider={provider}
                  templates={shown.filter((template) => template.provider === provider.id)}
                />
              ))
            }}
          </GrowingList>
        )}
      </GrowingList>
    </Page>
  )
}

/** The account's own providers first, then those with a wallet. */
const weight = ({ shared, wallets }: Provider): number => (shared ? 0 : 2) + (wallets > 0 ? 1 : 0)

const OfProvider = ({ provider, templates }: { provider: Provider; templates: readonly Template[] }) => {
  const { t, language } = useWords(templatesWords)
  const { may } = useMe()
  const [editing, setEditing] = useState(false)
  const name = providerName(provider, language)
  const close = (): void => setEditing(false)
  const columns: Column<Template>[] = [
    { head: t('field.name'), cell: (template) => <bdi>{templateName(template, t)}</bdi> },
    { head: t('field.state'), cell: ({ status }) => <TemplateState status={status} /> },
    { head: t('field.version'), cell: ({ version }) => <Count>{version}</Count>, wideOnly: true },
    { head: t('templates.whose'), cell: ({ shared }) => t(shared ? 'templates.operators' : 'templates.yours') },
    { head: t('templates.direction'), cell: ({ direction }) => t(`templates.${direction}`) },
    {
      head: t('templates.reads'),
      cell: ({ sentence }) =>
        slotsIn(sentence)
          .map((slot) => t(`templates.slot.${slotNameOf(slot)}`))
          .join(' · '),
    },
    {
      head: t('templates.senders'),
      cell: ({ sender_names }) => <Code>{sender_names.join(', ')}</Code>,
      wideOnly: true,
    },
  ]
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={2}>
          <bdi>{name}</bdi>
        </Title>
        <Quiet>
          {t(provider.shared ? 'templates.operators' : 'templates.yours')}
          {provider.wallets > 0 && <> · {t('templates.ofWallets', { count: provider.wallets })}</>}
        </Quiet>
        {!provider.shared && may('templates.write') && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('templates.changeProvider', { name })}
            onClick={() => setEditing(true)}
          >
            {t('part.change')}
          </Button>
        )}
      </Group>
      {templates.length === 0 ? (
        <Empty>{t('templates.providerEmpty')}</Empty>
      ) : (
        <Rows
          label={name}
          rows={templates}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/templates/${id}`}
        />
      )}
      {editing && <ProviderForm provider={provider} saved={close} close={close} />}
    </Stack>
  )
}
