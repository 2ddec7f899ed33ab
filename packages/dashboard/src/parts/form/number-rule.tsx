/** The rule for the account numbers of a provider: how many digits they have, and how they begin. Both empty: any number. */
import { useWords } from '../../words/language.ts'
import { TagsInput } from './lazy-overlays.tsx'
import type { NumberRuleText } from './number-rule-text.ts'

type Props = {
  readonly value: NumberRuleText
  readonly change: (rule: NumberRuleText) => void
  readonly errorOf: (attr: string) => string | undefined
}

export const NumberRuleFields = ({ value, change, errorOf }: Props) => {
  const { t } = useWords()
  const shared = { dir: 'ltr', acceptValueOnBlur: true, dropdownOpened: false } as const
  return (
    <>
      <TagsInput
        {...shared}
        label={t('part.numberLengths')}
        description={t('part.numberRuleLead')}
        placeholder="9"
        maxTags={10}
        value={value.lengths}
        onChange={(lengths) => change({ ...value, lengths })}
        error={errorOf('number_lengths')}
      />
      <TagsInput
        {...shared}
        label={t('part.numberPrefixes')}
        placeholder="77"
        maxTags={30}
        value={value.prefixes}
        onChange={(prefixes) => change({ ...value, prefixes })}
        error={errorOf('number_prefixes')}
      />
    </>
  )
}
