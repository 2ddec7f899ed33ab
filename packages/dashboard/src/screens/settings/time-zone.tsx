/** The field for a time zone, by name, grouped by region. An empty value means the zone of the service. */

import { useMemo } from 'react'
import { Select } from '../../parts/form/select.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

const regionOf = (zone: string): string => zone.split('/')[0]!

const byRegion = (names: readonly string[]) => {
  const zones = [...new Set(names)].sort()
  return [...new Set(zones.map(regionOf))].map((group) => ({
    group,
    items: zones.filter((zone) => regionOf(zone) === group),
  }))
}

export const TimeZone = (props: {
  value: string
  /** The time zone of the service, used while none is chosen. */
  ofService: string
  choose: (zone: string) => void
  error: string | undefined
}) => {
  const { t, language } = useWords(settingsWords)
  const now = useNow()
  const { value, ofService } = props
  const zones = useMemo(
    // Browsers leave out names that are aliases of another zone: Asia/Aden is added again.
    () => byRegion([...Intl.supportedValuesOf('timeZone'), 'Asia/Aden', ...(value === '' ? [] : [value])]),
    [value],
  )
  const time = clockTime(new Date(now).toISOString(), language, value === '' ? ofService : value)
  return (
    <Select
      label={t('field.timeZone')}
      description={t('account.zoneLead', { time })}
      data={[{ value: 'service', label: t('account.zoneService') }, ...zones]}
      value={value === '' ? 'service' : value}
      onChange={(chosen) => props.choose(chosen === null || chosen === 'service' ? '' : chosen)}
      error={props.error}
    />
  )
}
