/** The second factor: whether it is on, and how to change that. Recovery codes are shown once. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/use-api.ts'
import { Problem } from '../../../parts/form/problem.tsx'
import { useNow } from '../../../parts/format/clock.ts'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { relativeTime } from '../../../words/format.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { FactorActions } from './factor-actions.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpFactor } from './set-up-factor.tsx'

export const SecondFactor = () => {
  const { t, language } = useWords(settingsWords)
  const now = useNow()
  const state = useApi('showSecondFactor', { kinds: ['user', 'session'] })
  const [dialog, setDialog] = useState<'setUp' | 'end' | 'renew' | undefined>(undefined)
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined)
  const show = (answer: { recovery_codes: string[] }): void => {
    setDialog(undefined)
    setCodes(answer.recovery_codes)
  }
  const factor = state.data
  return (
    <Section title={t('field.factor')} lead={t('you.factorLead')}>
      {state.isError && <Problem problem={state.error} retry={() => void state.refetch()} />}
      {state.isPending && <Loading rows={1} />}
      {factor !== undefined && (
        <Group justify="space-between">
          <Text>
            {factor.app
              ? t('you.factorOn', { when: relativeTime(factor.since ?? '', now, language) })
              : t(factor.on ? 'you.factorByPasskey' : 'you.factorOff')}{' '}
            {factor.on && t('you.codesLeft', { count: factor.recovery_codes_left })}
          </Text>
          <Group gap="xs">
            {factor.on && (
              <Button variant="default" onClick={() => setDialog('renew')}>
                {t('you.codesNew')}
              </Button>
            )}
            {factor.app ? (
              <Button variant="subtle" color="red" onClick={() => setDialog('end')}>
                {t('act.switchOff')}
              </Button>
            ) : (
              <Button onClick={() => setDialog('setUp')}>{t('you.factorSetUp')}</Button>
            )}
          </Group>
        </Group>
      )}
      {dialog === 'setUp' && <SetUpFactor onSuccess={show} close={() => setDialog(undefined)} />}
      {dialog === 'end' && (
        <FactorActions to="end" onSuccess={() => setDialog(undefined)} close={() => setDialog(undefined)} />
      )}
      {dialog === 'renew' && <FactorActions to="renew" onSuccess={show} close={() => setDialog(undefined)} />}
      {codes !== undefined && <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />}
    </Section>
  )
}
