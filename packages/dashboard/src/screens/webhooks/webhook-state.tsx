/** The state of an endpoint by text and icon. */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconPower } from '@tabler/icons-react'
import { useNow } from '../../parts/format/clock.ts'
import { spanSince } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import type { Webhook } from './webhook.ts'

/** A failure that began less than this ago is shown without its duration. */
const moment_ms = 60_000

export const WebhookState = ({ webhook }: { webhook: Webhook }) => {
  const { t, language } = useWords(webhooksWords)
  const now = useNow()
  const { health, disabled } = webhook
  const [Icon, colour, text] =
    disabled !== null
      ? ([IconPower, 'var(--sanad-quiet)', t(`webhooks.disabled.${disabled.why}`)] as const)
      : health.breaker.state === 'open'
        ? ([IconAlertTriangle, 'var(--sanad-wrong)', t('webhooks.resting')] as const)
        : health.failing_since !== null
          ? ([
              IconAlertTriangle,
              'var(--sanad-wrong)',
              now - Date.parse(health.failing_since) < moment_ms
                ? t('webhooks.failingNow')
                : t('webhooks.failing', { when: spanSince(health.failing_since, now, language) }),
            ] as const)
          : health.last_success_at === null
            ? ([IconCircleDashed, 'var(--sanad-quiet)', t('webhooks.quiet')] as const)
            : ([IconCircleCheck, 'var(--sanad-verified)', t('webhooks.well')] as const)
  return (
    <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: colour, fontWeight: 600 }}>
      <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
      {text}
    </span>
  )
}
