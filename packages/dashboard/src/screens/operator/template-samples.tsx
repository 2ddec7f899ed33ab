/** The texts that a template must read and those that it must not read. Only a draft's texts can be added and removed. */
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import type { CallState } from '../../parts/form/call-state.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { ExpectedFields, useExpectedText, withoutEmptyFields } from '../templates/expected-fields.tsx'
import type { Expected } from '../templates/template.ts'
import type { Sample, Template } from './shared-template.ts'

export const TemplateSamples = ({ template }: { template: Template }) => {
  const { t } = useWords(operatorWords)
  const set = useApiMutation('setTemplateSamples', ['template'])
  const [adding, setAdding] = useState<'sample' | 'counter' | undefined>(undefined)
  const { samples, counter_samples } = template
  const expectedText = useExpectedText()
  const isDraft = template.status === 'draft'
  const save = (changes: Partial<Pick<Template, 'samples' | 'counter_samples'>>): void =>
    set.mutate(
      { path: { id: template.id }, body: { samples, counter_samples, ...changes } },
      { onSuccess: () => setAdding(undefined) },
    )
  const drop = (label: string, remove: () => void) =>
    isDraft && (
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`${t('act.delete')}: ${label}`}
        onClick={remove}
      >
        {t('act.delete')}
      </Button>
    )
  const add = (kind: 'sample' | 'counter') =>
    isDraft && (
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(kind)}>
        {t(kind === 'sample' ? 'opTemplates.addSample' : 'opTemplates.addCounter')}
      </Button>
    )
  return (
    <>
      {set.error !== null && adding === undefined && <Problem problem={set.error} />}
      <Section title={t('opTemplates.samples')} actions={add('sample')}>
        {samples.length === 0 && <Text c="dimmed">{t('opTemplates.noSamples')}</Text>}
        {samples.map((sample) => (
          <SampleRow key={sample.text} text={sample.text} note={expectedText(sample.expect)}>
            {drop(sample.text, () => save({ samples: samples.filter((other) => other !== sample) }))}
          </SampleRow>
        ))}
      </Section>
      <Section title={t('opTemplates.counters')} actions={add('counter')}>
        {counter_samples.length === 0 && <Text c="dimmed">{t('opTemplates.noSamples')}</Text>}
        {counter_samples.map((sample) => (
          <SampleRow key={sample.text} text={sample.text} note={sample.why}>
            {drop(sample.text, () => save({ counter_samples: counter_samples.filter((other) => other !== sample) }))}
          </SampleRow>
        ))}
      </Section>
      {adding === 'sample' && (
        <AddSample
          call={set}
          add={(sample) => save({ samples: [...samples, sample] })}
          close={() => setAdding(undefined)}
        />
      )}
      {adding === 'counter' && (
        <AddCounter
          call={set}
          add={(sample) => save({ counter_samples: [...counter_samples, sample] })}
          close={() => setAdding(undefined)}
        />
      )}
    </>
  )
}

type AddDialogProps<Sample> = {
  readonly call: CallState
  readonly add: (sample: Sample) => void
  readonly close: () => void
}

const SampleText = ({ value, set }: { value: string; set: (text: string) => void }) => {
  const { t } = useWords(operatorWords)
  return (
    <Textarea
      label={t('opTemplates.text')}
      dir="auto"
      required
      autosize
      minRows={3}
      maxLength={4000}
      data-autofocus
      {...bindText(value, set)}
    />
  )
}

const AddSample = ({ call, add, close }: AddDialogProps<Sample>) => {
  const { t } = useWords(operatorWords)
  const [text, setText] = useState('')
  const [expected, setExpected] = useState<Expected>({ amount: '' })
  return (
    <FormModal
      title={t('opTemplates.addSample')}
      submitLabel={t('part.save')}
      call={call}
      fields={[]}
      send={() => add({ text, expect: withoutEmptyFields(expected) })}
      close={close}
    >
      <SampleText value={text} set={setText} />
      <Quiet>
        {t('opTemplates.expect')}. {t('opTemplates.expectLead')}
      </Quiet>
      <ExpectedFields expected={expected} set={setExpected} />
    </FormModal>
  )
}

const AddCounter = ({ call, add, close }: AddDialogProps<Template['counter_samples'][number]>) => {
  const { t } = useWords(operatorWords)
  const [text, setText] = useState('')
  const [why, setWhy] = useState('')
  return (
    <FormModal
      title={t('opTemplates.addCounter')}
      submitLabel={t('part.save')}
      call={call}
      fields={[]}
      send={() => add({ text, why })}
      close={close}
    >
      <SampleText value={text} set={setText} />
      <TextInput label={t('opTemplates.why')} required maxLength={200} {...bindText(why, setWhy)} />
    </FormModal>
  )
}

/** A stored message with a note below it. `children`: the button that removes it. */
const SampleRow = (props: { text: string; note: string; children: ReactNode }) => (
  <Stack gap={4}>
    <Text dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {props.text}
    </Text>
    <Group justify="space-between">
      <Quiet>{props.note}</Quiet>
      {props.children}
    </Group>
  </Stack>
)
