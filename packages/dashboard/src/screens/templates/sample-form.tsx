/**
 * The form of a sample: a text that must be read, with the expected values, or a text that must not be read, with the
 * reason. The text is pasted, or chosen from stored messages.
 */
import { Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { problemText } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { ExpectedFields, withoutEmptyFields } from './expected-fields.tsx'
import { type Expected, expectedOf, type Template } from './template.ts'
import { useDebounced } from './use-debounced.ts'

export const SampleForm = (props: { template: Template; kind: 'sample' | 'counter'; close: () => void }) => {
  const { t } = useWords(templatesWords)
  const { template, kind, close } = props
  const { provider, sender_names, sentence, direction, currency } = template
  const [text, setText] = useState('')
  const [why, setWhy] = useState('')
  /** Expected values entered by the user; undefined: as the template reads them. */
  const [entered, setEntered] = useState<Expected | undefined>(undefined)
  const change = useApiMutation('changeTemplate', ['template'])
  const stored = useApi('previewTemplate', {
    body: { provider, replaces: template.id, sender_names, sentence, direction, currency },
    when: sender_names.length > 0,
  })
  const tried = useDebounced(text, 250)
  const read = useApi('readText', {
    body: { sentence, text: tried, direction, currency },
    when: kind === 'sample' && tried.trim() !== '',
    keep: true,
  })
  const reading = text.trim() === '' ? null : (read.data?.reading ?? null)
  const expected: Expected = entered ?? (reading === null ? { amount: '' } : expectedOf(reading))

  const send = (): void => {
    const body =
      kind === 'sample'
        ? { samples: [...template.samples, { text, expect: withoutEmptyFields(expected) }] }
        : { counter_samples: [...template.counter_samples, { text, why: why.trim() }] }
    change.mutate({ path: { id: template.id }, body }, { onSuccess: close })
  }
  const alerts = stored.data?.results ?? []

  return (
    <FormModal
      title={t(kind === 'sample' ? 'templates.addSample' : 'templates.addCounter')}
      submitLabel={t('part.save')}
      wide
      ready={text.trim() !== ''}
      call={change}
      fields={[]}
      send={send}
      close={close}
    >
      <Text c="dimmed">{t(kind === 'sample' ? 'templates.sampleLead' : 'templates.counterLead')}</Text>
      {stored.isError && <Text c="dimmed">{problemText(stored.error, t)}</Text>}
      {alerts.length > 0 && (
        <Select
          label={t('templates.storedMessage')}
          placeholder={t('templates.choose')}
          clearable
          data={alerts.map((alert) => ({ value: alert.id, label: `${alert.sender} · ${alert.text.slice(0, 80)}` }))}
          value={alerts.find((alert) => alert.text === text)?.id ?? null}
          onChange={(id) => {
            setText(alerts.find((alert) => alert.id === id)?.text ?? '')
            setEntered(undefined)
          }}
        />
      )}
      <Textarea
        label={t('templates.text')}
        required
        dir="auto"
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setEntered(undefined)
        }}
      />
      {kind === 'counter' && (
        <TextInput
          label={t('templates.why')}
          placeholder={t('templates.whyHint')}
          maxLength={200}
          {...bindText(why, setWhy)}
        />
      )}
      {kind === 'sample' && tried.trim() !== '' && (
        <>
          <Text role="status">{t(reading === null ? 'templates.readsNothing' : 'templates.readsThis')}</Text>
          <ExpectedFields expected={expected} set={setEntered} />
        </>
      )}
    </FormModal>
  )
}
