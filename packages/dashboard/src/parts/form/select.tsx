/** A select field with the browser's own control: a phone shows its own list, and typing on a keyboard searches in it. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useWords } from '../../words/language.ts'

type Props = Omit<NativeSelectProps, 'value' | 'onChange' | 'children'> & {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** The text while nothing is chosen. */
  readonly placeholder?: string
  /** Whether the placeholder can be chosen again. */
  readonly clearable?: boolean
}

export const Select = ({ data = [], value, onChange, placeholder = '', clearable = false, ...field }: Props) => (
  <NativeSelect
    {...field}
    data={clearable || value === null ? [{ value: '', label: placeholder, disabled: !clearable }, ...data] : [...data]}
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
  />
)

/** The filter of a list: nothing chosen shows all rows. */
export const FilterSelect = (props: Omit<Props, 'placeholder' | 'clearable'>) => {
  const { t } = useWords()
  return <Select {...props} placeholder={t('part.all')} clearable />
}
