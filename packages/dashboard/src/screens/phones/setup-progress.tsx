/** How far the setup of a phone has come: page opened, app chosen, connected, a message arrived; each with its time. */
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useMe } from '../../frame/session-context.ts'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

type Setup = NonNullable<Phone['setup']>

const steps = ['opened_at', 'app_at', 'contact_at', 'message_at'] as const

export const SetupProgress = ({ setup }: { setup: Setup }) => {
  const { t, language } = useWords(phonesWords)
  const { zone } = useMe()
  return (
    <ol style={{ margin: 0, padding: 0, listStyle: 'none', display: 'grid', gap: 8 }} aria-label={t('phones.setup')}>
      {steps.map((step) => {
        const at = setup[step]
        const Picture = at === null ? IconCircleDashed : IconCircleCheck
        return (
          <li key={step} style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <Picture
              size={18}
              aria-hidden
              style={{ flexShrink: 0, color: at === null ? 'var(--sanad-quiet)' : 'var(--sanad-verified)' }}
            />
            <span style={{ flexGrow: 1 }}>
              {t(`phones.setup.${step}`)}
              {step === 'app_at' && setup.app !== '' && (
                <>
                  {' '}
                  · <bdi>{t(`phones.app.${setup.app}`)}</bdi>
                </>
              )}
            </span>
            <span style={{ color: 'var(--sanad-quiet)' }}>
              {at === null ? t('phones.setup.notYet') : <bdi>{clockTime(at, language, zone)}</bdi>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
