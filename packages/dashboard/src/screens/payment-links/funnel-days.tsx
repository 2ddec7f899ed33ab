/** How far the buyers of payment links came in the last 14 days, as a picture. A file of its own, loaded when it is seen. */
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { countAxis, countText } from '../../parts/pictures/axis-text.ts'
import { Picture } from '../../parts/pictures/picture.tsx'
import { dateName } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { pictureWords } from '../../words/pictures.ts'
import { stagesOf } from './funnel-stages.ts'

const steps = ['opened', 'chosen', 'sent', 'paid'] as const

/** `link`: of one link, else of all. `onlyUsed`: nothing is shown if nobody opened a link. */
export const FunnelDays = ({ link, onlyUsed = false }: { link?: string; onlyUsed?: boolean }) => {
  const { t, language } = useWords(pictureWords)
  const funnel = useApi('showFunnelDays', {
    query: { days: 14, link },
    kinds: ['payment_link', 'checkout', 'intent'],
    every_ms: 300_000,
  })
  if (funnel.isError) return <Problem problem={funnel.error} retry={() => void funnel.refetch()} />
  if (funnel.data === undefined) return onlyUsed ? null : <Loading rows={6} />
  const { days } = funnel.data
  if (onlyUsed && days.every(({ opened }) => opened === 0)) return null
  return (
    <Picture
      title={t('picture.funnel')}
      lead={t('picture.funnelLead')}
      head={t('field.day')}
      file={`links-funnel-${days.at(-1)!.date}`}
      series={[t('picture.stagePaid'), t('picture.stageSent'), t('picture.stageChosen'), t('picture.stageOpened')]}
      columns={days.map((day) => ({
        key: day.date,
        label: dateName(day.date, language),
        name: dateName(day.date, language),
        values: stagesOf(day).map(String),
      }))}
      table={{
        series: steps.map((step) => t(`picture.step.${step}`)),
        rows: days.map((day) => steps.map((step) => String(day[step]))),
      }}
      format={countText(language)}
      axis={countAxis(language)}
    />
  )
}

export default FunnelDays
