/** Four pictures of the whole service by the hour: payments, messages, how late deliveries were, silent phones. Loaded when seen. */
import { Stack, Title } from '@mantine/core'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { countAxis, countText } from '../../parts/pictures/axis-text.ts'
import { Picture } from '../../parts/pictures/picture.tsx'
import { clockTime, minuteTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import classes from './operator.module.css'

type Hours = Answer<'showServiceHours'>
type Hour = Hours['hours'][number]

const HoursPictures = () => {
  const { t, language } = useWords(operatorWords)
  const hours = useApi('showServiceHours', { every_ms: 60_000 })
  if (hours.isError) return <Problem problem={hours.error} retry={() => void hours.refetch()} />
  if (hours.data === undefined) return <Loading rows={8} />
  const { time_zone: zone, counted_until } = hours.data
  const count = countText(language)
  const columnsOf = (numberOf: (hour: Hour) => number | null) =>
    hours.data.hours.map((hour) => ({
      key: hour.hour,
      label: clockTime(hour.hour, language, zone),
      name: minuteTime(hour.hour, language, zone),
      values: [String(numberOf(hour) ?? '')],
    }))
  /** An hour in which nothing was measured has no number. */
  const known = (text: (value: string) => string) => (value: string) =>
    value === '' ? t('hours.unknown') : text(value)
  const shared = { head: t('hours.hour'), axis: countAxis(language) }
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} fz={20}>
          {t('hours.title')}
        </Title>
        <Quiet>{t('hours.lead', { time: clockTime(counted_until, language, zone) })}</Quiet>
      </div>
      <div className={classes.pictures}>
        <Picture
          {...shared}
          title={t('hours.payments')}
          lead={t('hours.paymentsLead')}
          file="payments-by-hour"
          series={[t('hours.payments')]}
          columns={columnsOf(({ payments }) => payments)}
          format={count}
        />
        <Picture
          {...shared}
          title={t('hours.messages')}
          lead={t('hours.messagesLead')}
          file="messages-by-hour"
          series={[t('hours.messages')]}
          columns={columnsOf(({ messages }) => messages)}
          format={count}
        />
        <Picture
          {...shared}
          title={t('hours.lag')}
          lead={t('hours.lagLead')}
          file="delivery-lag-by-hour"
          series={[t('hours.seconds')]}
          columns={columnsOf(({ lag_s }) => lag_s)}
          format={known(count)}
          always
        />
        <Picture
          {...shared}
          title={t('hours.silent')}
          lead={t('hours.silentLead')}
          file="silent-phones-by-hour"
          series={[t('hours.silent')]}
          columns={columnsOf(({ silent_phones }) => silent_phones)}
          format={known(count)}
          always
        />
      </div>
    </Stack>
  )
}

export default HoursPictures
