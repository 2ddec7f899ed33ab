/** A country by its name in the reader's language. */
import { useWords } from '../../words/language.ts'
import { countryName } from '../format/provider-name.ts'
import { Select } from './select.tsx'

/** Countries where mobile wallets are common. A value that is not in this list is offered too. */
const countries =
  'YE SA OM AE QA BH KW IQ JO SY LB PS EG SD LY TN DZ MA MR SO DJ KM TR PK IN BD KE ET ER TZ UG GH NG ID MY PH'.split(
    ' ',
  )

type Props = {
  readonly label: string
  readonly description?: string
  /** The text for no country; left out: a country must be chosen. */
  readonly none?: string
  readonly value: string
  readonly onChange: (code: string) => void
  readonly error: string | undefined
}

export const CountrySelect = ({ none, value, onChange, ...field }: Props) => {
  const { language } = useWords()
  const listed = [...new Set([...countries, ...(value === '' ? [] : [value])])]
    .map((code) => ({ value: code, label: countryName(code, language) }))
    .sort((one, other) => one.label.localeCompare(other.label, language))
  return (
    <Select
      {...field}
      data={listed}
      {...(none === undefined ? {} : { placeholder: none, clearable: true })}
      value={value === '' ? null : value}
      onChange={(code) => onChange(code ?? '')}
    />
  )
}
