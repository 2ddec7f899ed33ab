/** One shared template: its sentence, the result of its check, its samples, and its steps from draft to retired. */
import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Code, NameList } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Loading, Page } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { faultText } from '../../words/template-faults.ts'
import type { CheckedTemplate } from './shared-template.ts'
import { TemplateForm } from './template-form.tsx'
import { TemplateSamples } from './template-samples.tsx'

export const OneTemplate = ({ id }: { id: string }) => {
  const { t, language } = useWords(operatorWords)
  const shown = useApi('showSharedTemplate', { path: { id }, kinds: ['template'] })
  if (shown.isError)
    return (
      <LoadFailed
        list="/operator/templates"
        title={t('frame.templates')}
        problem={shown.error}
        retry={() => void shown.refetch()}
      />
    )
  if (shown.data === undefined) return <Loading />
  const { template, bench } = shown.data
  return (
    <Page title={template.name} actions={<Actions checked={shown.data} />}>
      <BackTo href="/operator/templates" name={t('frame.templates')} />
      {template.status !== 'retired' &&
        (bench.green ? (
          <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
            {t('opTemplates.green')}
          </Alert>
        ) : (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('opTemplates.red')}>
            <List>
              {bench.failures.map((failure) => (
                <List.Item key={failure}>
                  <bdi>{faultText(failure, language)}</bdi>
                </List.Item>
              ))}
            </List>
          </Alert>
        ))}
      <Section title={t('field.sentence')}>
        <Text dir="auto" ff="monospace" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {template.sentence}
        </Text>
        <Stack component="dl" gap="xs" m={0} maw={560}>
          <DetailRow name={t('field.state')}>
            {t(`opTemplates.status.${template.status}`)} · {t('field.versionOf', { number: template.version })}
          </DetailRow>
          <DetailRow name={t('opTemplates.senders')} value={<NameList>{template.sender_names}</NameList>} />
          <DetailRow name={t('opTemplates.direction')} value={t(`opTemplates.direction.${template.direction}`)} />
          <DetailRow name={t('field.currency')} value={<Code>{template.currency}</Code>} />
        </Stack>
      </Section>
      <TemplateSamples template={template} />
    </Page>
  )
}

const Actions = ({ checked: { template, bench } }: { checked: CheckedTemplate }) => {
  const { t } = useWords(operatorWords)
  const [, go] = useLocation()
  const publish = useApiMutation('publishSharedTemplate', ['template', 'provider'])
  const retire = useApiMutation('retireSharedTemplate', ['template', 'provider'])
  const [dialog, setDialog] = useState<'publish' | 'retire' | 'next' | undefined>(undefined)
  const close = (): void => {
    publish.reset()
    retire.reset()
    setDialog(undefined)
  }
  const { id, name, status } = template
  return (
    <>
      {status === 'draft' && (
        <Button disabled={!bench.green} onClick={() => setDialog('publish')}>
          {t('act.publish')}
        </Button>
      )}
      {status === 'active' && (
        <>
          <Button variant="default" onClick={() => setDialog('next')}>
            {t('opTemplates.next')}
          </Button>
          <Button variant="default" onClick={() => setDialog('retire')}>
            {t('act.retire')}
          </Button>
        </>
      )}
      {dialog === 'publish' && (
        <Confirm
          title={t('opTemplates.publishTitle', { name })}
          submitLabel={t('act.publish')}
          call={publish}
          no={close}
          yes={() => publish.mutate({ path: { id } }, { onSuccess: close })}
        >
          <Text>{t('opTemplates.publishSure')}</Text>
        </Confirm>
      )}
      {dialog === 'retire' && (
        <Confirm
          title={t('opTemplates.retireTitle', { name })}
          submitLabel={t('act.retire')}
          danger
          call={retire}
          no={close}
          yes={() => retire.mutate({ path: { id } }, { onSuccess: close })}
        >
          <Text>{t('opTemplates.retireSure')}</Text>
        </Confirm>
      )}
      {dialog === 'next' && (
        <TemplateForm
          previous={template}
          onSuccess={(answer) => {
            close()
            go(`/operator/templates/${answer.template.id}`)
          }}
          close={close}
        />
      )}
    </>
  )
}
