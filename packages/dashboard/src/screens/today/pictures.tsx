/**
 * The pictures of Today: 14 days by wallet, with the hours of a day that is touched; the hours of today against the usual; and how
 * fast payments are verified. Each currency has its own pictures.
 */
import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { Loading } from '../../parts/page/page.tsx'
import { axisText, countText } from '../../parts/pictures/axis-text.ts'
import { mostSeries } from '../../parts/pictures/columns.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { inDigits } from '../../words/digits.ts'
import { currencyName, dateName, moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { pictureWords } from '../../words/pictures.ts'
import { FunnelDays } from '../payment-links/funnel-days.tsx'
import { spanText } from '../phones/span-text.ts'
import { currenciesOf, seriesOf, valuesOf } from './arrived-columns.ts'
import classes from './today.module.css'

type Days = Answer<'showArrivedDays'>
type Hours = Answer<'showArrivedHours'>

/** Days and hours that are over do not change; today does, and hints of the service ask for it again. */
const kinds = ['alert', 'intent'] as const

const Pictures = () => {
  const { may, me } = useMe()
  const days = useApi('showArrivedDays', { query: { days: 14 }, kinds: [...kinds] })
  const hours = useApi('showArrivedHours', { kinds: [...kinds], every_ms: 300_000 })
  const charts = useApi('showCharts', { query: { days: 14 }, every_ms: 300_000 })
  const problem = days.error ?? hours.error ?? charts.error
  const retry = (): void => {
    for (const one of [days, hours, charts]) if (one.isError) void one.refetch()
  }
  return (
    <Stack gap="md">
      {problem !== null && <Problem problem={problem} retry={retry} />}
      <div className={classes.pictures}>
        {!me.today_only && (days.data === undefined ? <Loading rows={6} /> : <DaysPictures days={days.data} />)}
        {hours.data === undefined ? <Loading rows={6} /> : <HoursPictures hours={hours.data} />}
        {charts.data !== undefined && <Speed charts={charts.data} />}
        {may('checkouts.read') && !me.today_only && <FunnelDays onlyUsed />}
      </div>
    </Stack>
  )
}

export default Pictures

const DaysPictures = ({ days }: { days: Days }) => {
  const currencies = currenciesOf(days.rows)
  return currencies.map((currency) => (
    <DaysPicture key={currency} days={days} currency={currency} isOnly={currencies.length === 1} />
  ))
}

const DaysPicture = ({ days, currency, isOnly }: { days: Days; currency: string; isOnly: boolean }) => {
  const { t, language } = useWords(pictureWords)
  const [chosen, setChosen] = useState<string>()
  const rows = days.rows.filter((row) => row.currency === currency)
  const series = seriesOf(rows, days.wallets, mostSeries)
  const currencyText = currencyName(currency, language)
  return (
    <Picture
      title={isOnly ? t('picture.days') : t('picture.daysIn', { currency: currencyText })}
      lead={t('picture.daysLead')}
      head={t('field.day')}
      file={`arrived-days-${currency}-${days.days.at(-1)}`}
      series={[...series.own.map(({ name }) => shippedName(name, t)), ...(series.other ? [t('picture.other')] : [])]}
      columns={days.days.map((date) => ({
        key: date,
        label: dateName(date, language),
        name: dateName(date, language),
        values: valuesOf(
          rows.filter((row) => row.date === date),
          series,
        ),
      }))}
      format={(value) => moneyText(value, currency, language)}
      axis={axisText(language)}
      chosen={chosen}
      choose={(key) => setChosen(key === chosen ? undefined : key)}
    >
      {chosen !== undefined && <HoursOfDay day={chosen} currency={currency} />}
    </Picture>
  )
}

/** The hours of a day that was touched. */
const HoursOfDay = ({ day, currency }: { day: string; currency: string }) => {
  const hours = useApi('showArrivedHours', { query: { day }, kinds: [...kinds] })
  if (hours.isError) return <Problem problem={hours.error} retry={() => void hours.refetch()} />
  if (hours.data === undefined) return <Loading rows={4} />
  return <HoursPicture hours={hours.data} currency={currency} isOnly ofDay={day} />
}

const HoursPictures = ({ hours }: { hours: Hours }) => {
  const found = currenciesOf([...hours.rows, ...hours.usual.map((row) => ({ ...row, count: 0 }))])
  const currencies = found.length > 0 ? found : hours.wallets.slice(0, 1).map(({ currency }) => currency)
  return currencies.map((currency) => (
    <HoursPicture key={currency} hours={hours} currency={currency} isOnly={currencies.length === 1} />
  ))
}

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const HoursPicture = (props: { hours: Hours; currency: string; isOnly: boolean; ofDay?: string }) => {
  const { hours, currency, isOnly, ofDay } = props
  const { t, language } = useWords(pictureWords)
  const rows = hours.rows.filter((row) => row.currency === currency)
  const ofHour = (hour: number) => rows.filter((row) => row.hour === hour)
  const all = Array.from({ length: 24 }, (_, hour) => hour)
  const series = seriesOf(rows, hours.wallets, mostSeries)
  // A day that was touched is shown by wallet; today against the usual is one sum.
  const isByWallet = ofDay !== undefined && series.own.length > 1
  const single = { own: [], other: true }
  const usualOf = (hour: number): string =>
    hours.usual.find((row) => row.hour === hour && row.currency === currency)?.sum ?? '0.00'
  const title =
    ofDay !== undefined
      ? t('picture.hoursOf', { day: dateName(ofDay, language) })
      : isOnly
        ? t('picture.today')
        : t('picture.todayIn', { currency: currencyName(currency, language) })
  return (
    <Picture
      title={title}
      lead={hours.weeks > 0 ? t('picture.usualLead', { count: hours.weeks }) : t('picture.noUsual')}
      head={t('picture.hour')}
      file={`arrived-hours-${currency}-${hours.date}`}
      series={
        isByWallet
          ? [...series.own.map(({ name }) => shippedName(name, t)), ...(series.other ? [t('picture.other')] : [])]
          : [t('picture.amount')]
      }
      columns={all.map((hour) => ({
        key: hourText(hour),
        label: inDigits(String(hour), language),
        name: inDigits(hourText(hour), language),
        values: valuesOf(ofHour(hour), isByWallet ? series : single),
      }))}
      line={hours.weeks > 0 ? { name: t('picture.usual'), values: all.map(usualOf) } : undefined}
      format={(value) => moneyText(value, currency, language)}
      axis={axisText(language)}
    />
  )
}

const Speed = ({ charts }: { charts: Answer<'showCharts'> }) => {
  const { t, language } = useWords(pictureWords)
  const { whole, histogram } = charts.time_to_verify
  const bars = histogram.map(({ until_s, count }) => ({
    key: until_s === null ? 'longer' : `${until_s} s`,
    text: until_s === null ? t('picture.above') : spanText(until_s, language),
    count,
  }))
  return (
    <Picture
      title={t('picture.speed')}
      lead={
        <>
          {t('picture.speedLead')}{' '}
          {whole !== null &&
            t('picture.speedHalf', { half: spanText(whole.p50_s, language), most: spanText(whole.p90_s, language) })}
        </>
      }
      head={t('picture.time')}
      file={`time-to-verify-${charts.days.at(-1)}`}
      series={[t('picture.count')]}
      columns={bars.map(({ key, text, count }, i) => ({
        key,
        label: text,
        name: i === bars.length - 1 ? text : t('picture.within', { time: text }),
        values: [String(count)],
      }))}
      format={countText(language)}
      axis={axisText(language)}
    />
  )
}
