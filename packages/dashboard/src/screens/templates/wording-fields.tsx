/** The fields of a template: name, senders, direction and currency. The sentence has its own component. */
import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { currencies, usualCurrency } from '@sanad/contract/currency'
import { TagsInput } from '../../parts/form/lazy-overlays.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { currencyName } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import type { Wording } from './template.ts'

const usualChoices: readonly string[] = Object.entries(currencies).flatMap(([code, { inForms }]) =>
  inForms ? [code] : [],
)

export const WordingFields = (props: {
  wording: Wording
  /** The known senders of the provider. */
  known: readonly string[]
  problem: Error | null
  onChange: (changes: Partial<Wording>) => void
}) => {
  const { t, language } = useWords(templatesWords)
  const { wording, onChange, problem } = props
  const offered = usualChoices.includes(wording.currency) ? usualChoices : [...usualChoices, wording.currency]
  return (
    <Stack>
      <TextInput
        label={t('field.name')}
        description={t('templates.nameLead')}
        required
        maxLength={100}
        value={wording.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={fieldProblem(problem, 'name', t)}
      />
      <TagsInput
        label={t('templates.senders')}
        description={t('templates.sendersLead')}
        required
        maxTags={20}
        dir="ltr"
        acceptValueOnBlur
        data={[...props.known]}
        value={wording.sender_names}
        onChange={(sender_names) => onChange({ sender_names })}
        error={fieldProblem(problem, 'sender_names', t)}
      />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <Stack gap={4} miw={200}>
          <Text size="sm" fw={600} id="direction-of-money">
            {t('templates.direction')}
          </Text>
          <SegmentedControl
            aria-labelledby="direction-of-money"
            value={wording.direction}
            onChange={(direction) => onChange({ direction: direction as Wording['direction'] })}
            data={[
              { value: 'credit', label: t('templates.credit') },
              { value: 'debit', label: t('templates.debit') },
            ]}
          />
        </Stack>
        <Select
          label={t('field.currency')}
          data={offered.map((code) => ({
            value: code,
            label: language === 'ar' ? `${currencyName(code, language)} (${code})` : code,
          }))}
          value={wording.currency}
          onChange={(currency) => onChange({ currency: currency ?? usualCurrency })}
          error={fieldProblem(problem, 'currency', t)}
        />
      </Group>
    </Stack>
  )
}
