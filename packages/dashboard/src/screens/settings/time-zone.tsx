/** A time zone by its name, searched as one types. The empty one is that of the service. */

import { useMemo } from 'react'
import { useNow } from '../../parts/format/clock.ts'
import { Select } from '../../parts/form/lazy-fields.tsx'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'

export const TimeZone = (given: {
  value: string
  /** Which one it is while none is chosen. */
  ofService: string
  choose: (zone: string) => void
  error: string | undefined
}) => {
  const { t, language } = useWords()
  const now = useNow()
  const { value, ofService } = given
  const zones = useMemo(
    // Browsers leave out names that they hold to be the same as another; ours stay choosable.
    () => [...new Set([...Intl.supportedValuesOf('timeZone'), 'Asia/Aden', ...(value === '' ? [] : [value])])].sort(),
    [value],
  )
  const time = clockTime(new Date(now).toISOString(), language, value === '' ? ofService : value)
  return (
    <Select
      label={t('account.zone')}
      description={t('account.zoneLead', { time })}
      nothingFoundMessage={t('account.zoneNone')}
      searchable
      allowDeselect={false}
      data={[{ value: 'service', label: t('account.zoneService') }, ...zones]}
      value={value === '' ? 'service' : value}
      onChange={(chosen) => given.choose(chosen === null || chosen === 'service' ? '' : chosen)}
      error={given.error}
    />
  )
}
