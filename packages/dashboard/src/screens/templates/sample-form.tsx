/** A text that must be read, and as what; or one that must not be read, and why: pasted, or one that is stored. */
import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { Modal, Select } from '../../parts/later.tsx'
import { problemText, Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import { useSettled } from './settled.ts'
import { type Expected, expectedOf, type Template } from './template.ts'

const fields = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee'] as const

/** What is left empty must not be there. */
const said = (expected: Expected): Expected => {
  const filled = Object.entries(expected).flatMap(([field, value]) =>
    value.trim() === '' ? [] : [[field, value.trim()]],
  )
  return { amount: '', ...Object.fromEntries(filled) }
}

export const SampleForm = (given: { template: Template; kind: 'sample' | 'counter'; done: () => void }) => {
  const { t } = useWords()
  const { template, kind, done } = given
  const { provider, sender_names, sentence, direction, currency } = template
  const [text, setText] = useState('')
  const [why, setWhy] = useState('')
  /** Written by a person; undefined: as it is read. */
  const [written, setWritten] = useState<Expected | undefined>(undefined)
  const change = useChange('changeTemplate', ['template'])
  const stored = useAsk('previewTemplate', {
    body: { provider, replaces: template.id, sender_names, sentence, direction, currency },
    when: sender_names.length > 0,
  })
  const tried = useSettled(text, 250)
  const read = useAsk('readText', {
    body: { sentence, text: tried, direction, currency },
    when: kind === 'sample' && tried.trim() !== '',
    keep: true,
  })
  const reading = text.trim() === '' ? null : (read.data?.reading ?? null)
  const expected: Expected = written ?? (reading === null ? { amount: '' } : expectedOf(reading))

  const send = (event: FormEvent): void => {
    event.preventDefault()
    const body =
      kind === 'sample'
        ? { samples: [...template.samples, { text, expect: said(expected) }] }
        : { counter_samples: [...template.counter_samples, { text, why: why.trim() }] }
    change.mutate({ path: { id: template.id }, body }, { onSuccess: done })
  }
  const alerts = stored.data?.results ?? []

  return (
    <Modal
      opened
      onClose={done}
      size="lg"
      title={t(kind === 'sample' ? 'templates.addSample' : 'templates.addCounter')}
    >
      <form onSubmit={send}>
        <Stack>
          <Text c="dimmed">{t(kind === 'sample' ? 'templates.sampleLead' : 'templates.counterLead')}</Text>
          {change.error !== null && <Trouble problem={change.error} />}
          {stored.isError && <Text c="dimmed">{problemText(stored.error, t)}</Text>}
          {alerts.length > 0 && (
            <Select
              label={t('templates.storedMessage')}
              placeholder={t('templates.choose')}
              searchable
              clearable
              data={alerts.map((alert) => ({ value: alert.id, label: `${alert.sender} · ${alert.text.slice(0, 80)}` }))}
              onChange={(id) => {
                setText(alerts.find((alert) => alert.id === id)?.text ?? '')
                setWritten(undefined)
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
              setWritten(undefined)
            }}
          />
          {kind === 'counter' && (
            <TextInput
              label={t('templates.why')}
              placeholder={t('templates.whyHint')}
              maxLength={200}
              value={why}
              onChange={(event) => setWhy(event.currentTarget.value)}
            />
          )}
          {kind === 'sample' && tried.trim() !== '' && (
            <>
              <Text role="status">{t(reading === null ? 'templates.readsNothing' : 'templates.readsThis')}</Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                {fields.map((field) => (
                  <TextInput
                    key={field}
                    label={t(`templates.slot.${field}`)}
                    required={field === 'amount'}
                    dir={field === 'payer' ? 'auto' : 'ltr'}
                    maxLength={200}
                    value={expected[field] ?? ''}
                    onChange={(event) => setWritten({ ...expected, [field]: event.currentTarget.value })}
                  />
                ))}
              </SimpleGrid>
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" disabled={text.trim() === ''} loading={change.isPending}>
              {t('part.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
