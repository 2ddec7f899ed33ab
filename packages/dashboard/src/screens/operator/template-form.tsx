/**
 * The form of a draft of a shared template: a new template, or the next version of one. A draft reads nothing until it is
 * published.
 */
import { SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { useId, useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { TagsInput } from '../../parts/form/lazy-overlays.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { providerOptions } from '../../parts/format/provider-name.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import type { CheckedTemplate, Template } from './shared-template.ts'

type Props = {
  /** The version that the draft will replace; undefined: a new template. */
  readonly previous: Template | undefined
  readonly onSuccess: (answer: CheckedTemplate) => void
  readonly close: () => void
}

export const TemplateForm = ({ previous, onSuccess, close }: Props) => {
  const { t, language } = useWords(operatorWords)
  const label = useId()
  const providers = useApi('listSharedProviders', { kinds: ['provider'] })
  const create = useApiMutation('createSharedTemplate', ['template'])
  const [provider, setProvider] = useState<string | null>(previous?.provider ?? null)
  const [name, setName] = useState(previous?.name ?? '')
  const [senders, setSenders] = useState<string[]>(previous?.sender_names ?? [])
  const [direction, setDirection] = useState<Template['direction']>(previous?.direction ?? 'credit')
  const [currency, setCurrency] = useState(previous?.currency ?? usualCurrency)
  const [sentence, setSentence] = useState(previous?.sentence ?? '')
  const errorOf = (attr: string) => fieldProblem(create.error, attr, t)
  const send = (): void => {
    const fromPrevious =
      previous === undefined
        ? {}
        : { replaces: previous.id, samples: previous.samples, counter_samples: previous.counter_samples }
    create.mutate(
      {
        body: { provider: provider ?? '', name, sender_names: senders, direction, currency, sentence, ...fromPrevious },
      },
      { onSuccess },
    )
  }
  return (
    <FormModal
      title={t(previous === undefined ? 'act.newTemplate' : 'opTemplates.next')}
      submitLabel={t('part.save')}
      call={create}
      fields={['provider', 'name', 'sender_names', 'currency', 'sentence']}
      send={send}
      close={close}
    >
      <Select
        label={t('field.provider')}
        required
        disabled={previous !== undefined}
        data={providerOptions(providers.data ?? [], language)}
        value={provider}
        onChange={setProvider}
        error={errorOf('provider')}
      />
      <TextInput
        label={t('field.name')}
        required
        maxLength={100}
        {...bindText(name, setName)}
        error={errorOf('name')}
      />
      <TagsInput
        label={t('opTemplates.senders')}
        description={t('opTemplates.sendersLead')}
        maxTags={20}
        acceptValueOnBlur
        value={senders}
        onChange={setSenders}
        error={errorOf('sender_names')}
      />
      <Stack gap={4}>
        <Text id={label} size="sm" fw={600}>
          {t('opTemplates.direction')}
        </Text>
        <SegmentedControl
          aria-labelledby={label}
          data={(['credit', 'debit'] as const).map((value) => ({ value, label: t(`opTemplates.direction.${value}`) }))}
          value={direction}
          onChange={(value) => setDirection(value as Template['direction'])}
        />
      </Stack>
      <TextInput
        label={t('field.currency')}
        dir="ltr"
        required
        maxLength={3}
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
        error={errorOf('currency')}
      />
      <Textarea
        label={t('field.sentence')}
        description={t('opTemplates.sentenceLead')}
        dir="auto"
        required
        autosize
        minRows={3}
        maxLength={2000}
        {...bindText(sentence, setSentence)}
        error={errorOf('sentence')}
      />
    </FormModal>
  )
}
