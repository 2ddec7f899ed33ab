/** The texts that a template must read and those that it must not read, each with its result. */
import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Card, Empty, Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { faultText } from '../../words/template-faults.ts'
import { ReadingView } from './reading-view.tsx'
import { SampleForm } from './sample-form.tsx'
import type { Reading, Template } from './template.ts'

export const Samples = (props: { template: Template; editable: boolean; changed: boolean }) => {
  const { t, language } = useWords(templatesWords)
  const { template, editable } = props
  const bench = useApi('showBench', { path: { id: template.id }, kinds: ['template'], keep: true })
  const change = useApiMutation('changeTemplate', ['template'])
  const [adding, setAdding] = useState<'sample' | 'counter' | undefined>(undefined)
  const path = { id: template.id }
  const without = <Item,>(list: readonly Item[], at: number): Item[] => list.filter((_, i) => i !== at)
  const inSamples = new Set(bench.data?.samples.flatMap(({ failures }) => failures))
  const general = (bench.data?.failures ?? []).filter((failure) => !inSamples.has(failure))
  const add = (kind: 'sample' | 'counter') =>
    editable && (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setAdding(kind)}
      >
        {t(kind === 'sample' ? 'templates.addSample' : 'templates.addCounter')}
      </Button>
    )
  if (bench.isError) return <Problem problem={bench.error} retry={() => void bench.refetch()} />
  if (bench.data === undefined) return <Loading rows={4} />
  return (
    <Stack gap="lg">
      {props.changed && <Alert color="yellow">{t('templates.unsaved')}</Alert>}
      {template.status === 'draft' && (
        <Alert
          color={bench.data.green ? 'green' : 'yellow'}
          role="status"
          title={t(bench.data.green ? 'templates.green' : 'templates.notGreen')}
        >
          {general.length > 0 && <Faults faults={general.map((fault) => faultText(fault, language))} />}
        </Alert>
      )}
      {change.error !== null && <Problem problem={change.error} />}
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('templates.samples')}</Title>
          {add('sample')}
        </Group>
        {bench.data.samples.length === 0 && <Empty>{t('templates.noSamples')}</Empty>}
        {bench.data.samples.map(({ text, green, reading, failures }, i) => (
          <SampleResult
            // biome-ignore lint/suspicious/noArrayIndexKey: two texts may be equal, and a row has no state
            key={i}
            text={text}
            green={green}
            reading={reading}
            faults={failures.map((fault) => faultText(fault, language))}
            {...(editable
              ? { remove: () => change.mutate({ path, body: { samples: without(template.samples, i) } }) }
              : {})}
          />
        ))}
      </Stack>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('templates.counterSamples')}</Title>
          {add('counter')}
        </Group>
        {bench.data.counter_samples.length === 0 && <Empty>{t('templates.noCounterSamples')}</Empty>}
        {bench.data.counter_samples.map(({ text, why, green, reading }, i) => (
          <SampleResult
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={i}
            text={text}
            why={why}
            green={green}
            reading={reading}
            faults={green ? [] : [t('templates.counterRead')]}
            {...(editable
              ? {
                  remove: () =>
                    change.mutate({ path, body: { counter_samples: without(template.counter_samples, i) } }),
                }
              : {})}
          />
        ))}
      </Stack>
      {adding !== undefined && <SampleForm template={template} kind={adding} close={() => setAdding(undefined)} />}
    </Stack>
  )
}

const Faults = ({ faults }: { faults: readonly string[] }) => (
  <List size="sm">
    {faults.map((fault) => (
      <List.Item key={fault}>
        <Text inherit dir="auto" component="span" style={{ overflowWrap: 'anywhere' }}>
          {fault}
        </Text>
      </List.Item>
    ))}
  </List>
)

const SampleResult = (props: {
  text: string
  why?: string
  green: boolean
  reading: Reading | null
  faults: readonly string[]
  remove?: () => void
}) => {
  const { t } = useWords(templatesWords)
  const Picture = props.green ? IconCircleCheck : IconCircleX
  return (
    <Card>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <span
            style={{
              display: 'inline-flex',
              gap: 4,
              alignItems: 'center',
              fontWeight: 600,
              color: props.green ? 'var(--sanad-verified)' : 'var(--sanad-wrong)',
            }}
          >
            <Picture size={16} aria-hidden />
            {t(props.green ? 'templates.asItShould' : 'templates.notAsItShould')}
          </span>
          {props.why !== undefined && props.why !== '' && (
            <Text c="dimmed" size="sm" dir="auto">
              {props.why}
            </Text>
          )}
        </Group>
        <Text dir="auto" ta="start" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {props.text}
        </Text>
        {props.reading !== null && <ReadingView reading={props.reading} />}
        {props.faults.length > 0 && <Faults faults={props.faults} />}
        {props.remove !== undefined && (
          <Group justify="flex-end">
            <Button variant="subtle" color="red" size="compact-sm" onClick={props.remove}>
              {t('act.delete')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
