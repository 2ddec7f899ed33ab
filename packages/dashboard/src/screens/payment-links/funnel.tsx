/** How far the buyers of a link came: five steps, each with its count and its share of the first step. */

import { Count } from '../../parts/format/figures.tsx'
import { Section } from '../../parts/page/section.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import classes from '../checkouts/checkouts.module.css'
import type { ListedLink } from './link.tsx'

const steps = ['opened', 'started', 'chosen', 'sent', 'paid'] as const

export const Funnel = ({ funnel }: { funnel: ListedLink['funnel'] }) => {
  const { t, language } = useWords(checkoutsWords)
  const shareOf = (count: number): number => (funnel.opened === 0 ? 0 : Math.round((100 * count) / funnel.opened))
  return (
    <Section title={t('funnel.title')} lead={t('funnel.lead')}>
      <ol className={classes.funnel}>
        {steps.map((step) => (
          <li key={step} className={classes.step} data-step={step}>
            <span className={classes.stepText}>
              <span>{t(`funnel.${step}`)}</span>
              <span>
                <b>
                  <Count>{funnel[step]}</Count>
                </b>{' '}
                {step !== 'opened' && (
                  <bdi className="figure" style={{ color: 'var(--sanad-quiet)' }}>
                    {inDigits(`${shareOf(funnel[step])}%`, language)}
                  </bdi>
                )}
              </span>
            </span>
            <span className={classes.bar} aria-hidden>
              <span style={{ width: `${Math.min(100, shareOf(funnel[step]))}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
