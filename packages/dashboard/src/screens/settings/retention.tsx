/** For how long the account keeps texts, payers and logs, for owners. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { retentionWords } from '../../words/retention.ts'
import { SavedNote } from './saved-note.tsx'

export const Retention = () => {
  const retention = useApi('showRetention', { kinds: ['account'] })
  if (retention.isError) return <Problem problem={retention.error} retry={() => void retention.refetch()} />
  if (retention.data === undefined) return <Loading />
  return <RetentionForm key={JSON.stringify(retention.data)} kept={retention.data.kept} />
}

type Kept = Answer<'showRetention'>['kept']
type Kind = Kept[number]['kind']

const RetentionForm = ({ kept }: { kept: Kept }) => {
  const { t } = useWords(retentionWords)
  const change = useApiMutation('changeRetention', ['account'])
  const [typed, setTyped] = useState(
    Object.fromEntries(kept.map(({ kind, days }) => [kind, days === null ? '' : String(days)])) as Record<Kind, string>,
  )
  const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
  const send = (event: FormEvent): void => {
    event.preventDefault()
    const changed = kept.filter(({ kind, days }) => daysOf(typed[kind]) !== days)
    change.mutate({ body: Object.fromEntries(changed.map(({ kind }) => [kind, daysOf(typed[kind])])) })
  }
  const isShownBeside = kept.some(({ kind }) => fieldProblem(change.error, kind, t) !== undefined)
  return (
    <form onSubmit={send}>
      <Section title={t('retention.title')}>
        <Stack gap="sm" maw={440}>
          <Text size="sm">{t('retention.forEver')}</Text>
          {change.error !== null && !isShownBeside && <Problem problem={change.error} />}
          {kept.map(({ kind, usual_days: usual, least_days: least, most_days: most }) => (
            <TextInput
              key={kind}
              label={t(`retention.${kind}`)}
              description={t('retention.range', { least, most, usual })}
              inputMode="numeric"
              dir="ltr"
              autoComplete="off"
              rightSection={<Text size="sm">{t('retention.days')}</Text>}
              rightSectionWidth={56}
              value={typed[kind]}
              onChange={(event) => {
                const text = event.currentTarget.value.replace(/[^0-9٠-٩]/g, '')
                const digits = text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
                setTyped((before) => ({ ...before, [kind]: digits.slice(0, 5) }))
              }}
              error={fieldProblem(change.error, kind, t)}
            />
          ))}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('part.save')}
            </Button>
            <SavedNote when={change.isSuccess} />
          </Group>
        </Stack>
      </Section>
    </form>
  )
}
