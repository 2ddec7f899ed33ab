/**
 * One version of a template: its sentence, its samples and their results, a preview, and publish, retire, next version.
 */
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Code, Count } from '../../parts/format/figures.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { slotNameOf } from './marks.ts'
import { Preview } from './preview.tsx'
import { Samples } from './samples.tsx'
import { SentenceField } from './sentence-field.tsx'
import { slotsIn, type Template, type Wording } from './template.ts'
import { TemplateActions } from './template-actions.tsx'
import { templateName } from './template-name.ts'
import { TemplateState } from './template-state.tsx'
import { useDebounced } from './use-debounced.ts'
import { WordingFields } from './wording-fields.tsx'

export const OneTemplate = ({ id }: { id: string }) => {
  const { t } = useWords(templatesWords)
  const template = useApi('showTemplate', { path: { id }, kinds: ['template'] })
  if (template.isError)
    return (
      <LoadFailed
        list="/templates"
        title={t('frame.templates')}
        problem={template.error}
        retry={() => void template.refetch()}
      />
    )
  if (template.data === undefined)
    return (
      <Page title={t('frame.templates')}>
        <Loading rows={10} />
      </Page>
    )
  return <LoadedTemplate template={template.data} />
}

const wordingOf = ({ name, sender_names, direction, currency, sentence }: Template): Wording => ({
  name,
  sender_names,
  direction,
  currency,
  sentence,
})

const LoadedTemplate = ({ template }: { template: Template }) => {
  const { t, language } = useWords(templatesWords)
  const { may } = useMe()
  const provider = useApi('showProvider', { path: { id: template.provider }, kinds: ['provider'] })
  const editable = !template.shared && template.status === 'draft' && may('templates.write')
  const saved = wordingOf(template)
  const [wording, setWording] = useState<Wording>(saved)
  const changed = editable && JSON.stringify(wording) !== JSON.stringify(saved)
  const shown = editable ? wording : saved
  const tried = useDebounced(shown.sentence, 250)
  // The text does not matter: only the validity of the sentence is checked.
  const checked = useApi('readText', { body: { sentence: tried, text: '.' }, when: tried.trim() !== '', keep: true })
  const fault = checked.data?.error ?? null
  return (
    <Page
      title={templateName(template, t)}
      actions={may('templates.write') && <TemplateActions template={template} changed={changed} />}
    >
      <Group gap="lg" mt={-16}>
        <BackTo href="/templates" name={t('frame.templates')} inRow />
        <TemplateState status={template.status} />
        <Text c="dimmed">
          {t('field.version')} <Count>{template.version}</Count>
        </Text>
        {provider.data !== undefined && <bdi>{providerName(provider.data, language)}</bdi>}
      </Group>
      {template.shared && <Alert color="gray">{t('templates.readOnly')}</Alert>}
      {editable ? (
        <Editor
          template={template}
          wording={wording}
          changed={changed}
          fault={fault}
          known={provider.data?.sender_names ?? []}
          onWording={setWording}
        />
      ) : (
        <Details template={template} />
      )}
      <Samples template={template} editable={editable} changed={changed} />
      {template.status !== 'retired' && (
        <Preview
          provider={template.provider}
          replaces={template.id}
          wording={shown}
          isValid={shown.sentence.trim() !== '' && fault === null}
        />
      )}
      <Versions template={template} />
    </Page>
  )
}

const Editor = (props: {
  template: Template
  wording: Wording
  changed: boolean
  fault: { at: number; detail: string } | null
  known: readonly string[]
  onWording: (wording: Wording) => void
}) => {
  const { t } = useWords(templatesWords)
  const { template, wording, onWording } = props
  const change = useApiMutation('changeTemplate', ['template', 'provider'])
  const hasFieldProblem = ['name', 'sender_names', 'currency', 'sentence'].some((attr) =>
    fieldProblem(change.error, attr, t),
  )
  const save = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ path: { id: template.id }, body: wording }, { onSuccess: (after) => onWording(wordingOf(after)) })
  }
  return (
    <form onSubmit={save}>
      <Stack>
        <SentenceField
          sentence={wording.sentence}
          fault={props.fault}
          onChange={(sentence) => onWording({ ...wording, sentence })}
        />
        <WordingFields
          wording={wording}
          known={props.known}
          problem={change.error}
          onChange={(changes) => onWording({ ...wording, ...changes })}
        />
        {change.error !== null && !hasFieldProblem && <Problem problem={change.error} />}
        <Group justify="flex-end">
          {props.changed && (
            <Button variant="default" onClick={() => onWording(wordingOf(template))}>
              {t('templates.undo')}
            </Button>
          )}
          <Button type="submit" disabled={!props.changed} loading={change.isPending}>
            {t('part.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const Details = ({ template }: { template: Template }) => {
  const { t } = useWords(templatesWords)
  return (
    <Card>
      <Stack gap="sm">
        <Text dir="auto" fz={16} ff="monospace" ta="start" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {template.sentence}
        </Text>
        <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
          <DetailRow name={t('templates.senders')} value={<Code>{template.sender_names.join(', ')}</Code>} />
          <DetailRow name={t('templates.direction')} value={t(`templates.${template.direction}`)} />
          <DetailRow name={t('field.currency')} value={<Code>{template.currency}</Code>} />
          <DetailRow name={t('templates.reads')}>
            {slotsIn(template.sentence)
              .map((slot) => t(`templates.slot.${slotNameOf(slot)}`))
              .join(' · ')}
          </DetailRow>
        </dl>
      </Stack>
    </Card>
  )
}

/** The other versions of this template. */
const Versions = ({ template }: { template: Template }) => {
  const { t } = useWords(templatesWords)
  const list = useApi('listTemplates', {
    query: { provider: template.provider, page_size: 200 },
    kinds: ['template'],
  })
  const versions = (list.data?.results ?? []).filter(({ lineage }) => lineage === template.lineage)
  if (versions.length < 2) return null
  return (
    <Stack gap="xs">
      <Title order={2}>{t('templates.versions')}</Title>
      <Group component="ul" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
        {versions.map(({ id, version, status }) => (
          <li key={id}>
            <Group gap="xs">
              {id === template.id ? (
                <Text fw={600}>{t('field.versionOf', { number: version })}</Text>
              ) : (
                <Anchor component={Link} href={`/templates/${id}`}>
                  {t('field.versionOf', { number: version })}
                </Anchor>
              )}
              <TemplateState status={status} />
            </Group>
          </li>
        ))}
      </Group>
    </Stack>
  )
}
