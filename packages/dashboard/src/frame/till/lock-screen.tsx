/**
 * The counter while nobody is signed in, or while the cashier is switched: the names, then the PIN. A locked counter shows nothing else:
 * what the cashier before saw is removed from the page.
 */

import { Button, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Problem, problemText } from '../../parts/form/problem.tsx'
import { currentTime } from '../../parts/format/clock.ts'
import { Loading } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { tillWords } from '../../words/till.ts'
import { LanguageSwitch } from '../language-switch.tsx'
import { Logo } from '../logo.tsx'
import { SignIn } from '../sign-in.tsx'
import classes from './lock-screen.module.css'
import { PinPad } from './pin-pad.tsx'
import { remainingText } from './remaining.ts'

/** Another tab may have unlocked or switched the counter. */
const lookEvery_ms = 5_000

type Here = Answer<'showCounterHere'>

/** `close`: the cashier who is signed in goes back; left out: the counter is locked. */
export const LockScreen = ({ close }: { close?: () => void }) => {
  const { t } = useWords(tillWords)
  const client = useQueryClient()
  // What was read before the counter was locked names a cashier who is no longer there.
  useState(() => {
    const known = client.getQueryData<Here>(['showCounterHere', null, null])
    if (close === undefined && known !== undefined && known.cashier !== null)
      client.removeQueries({ queryKey: ['showCounterHere'] })
  })
  const here = useApi('showCounterHere', { every_ms: lookEvery_ms })
  const enter = useApiMutation('enterPin', [])
  const lock = useApiMutation('lockCounter', [])
  const [chosen, setChosen] = useState<string>()
  const [byEmail, setByEmail] = useState(false)
  const reload = (): void => void client.resetQueries({ queryKey: ['showMe'] })

  const isUnlocked = close === undefined && here.data !== undefined && here.data.cashier !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another tab has unlocked it, or the counter has ended
  useEffect(() => {
    if (isUnlocked || (here.isError && here.error.status === 401)) reload()
  }, [isUnlocked, here.isError])

  const send = (cashier: string, pin: string): void =>
    enter.mutate(
      { body: { cashier, pin } },
      {
        onSuccess: (me) => {
          // Nothing of the cashier before stays.
          client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'showMe' })
          client.setQueryData(['showMe', null, null], me)
          close?.()
        },
        onError: () => void here.refetch(),
      },
    )

  if (byEmail)
    return (
      <div className={classes.screen}>
        <SignIn ended={false} />
        <Button
          variant="default"
          style={{ position: 'absolute', insetBlockStart: 16, insetInlineStart: 16 }}
          onClick={() => setByEmail(false)}
        >
          {t('till.toNames')}
        </Button>
      </div>
    )
  // Over the screen of a cashier there is a main part already.
  const Inside = close === undefined ? 'main' : 'div'
  const cashier = here.data?.cashiers.find(({ id }) => id === chosen)
  return (
    <div
      className={classes.screen}
      {...(close === undefined ? {} : { role: 'dialog', 'aria-modal': true, 'aria-label': t('till.who') })}
    >
      <Inside className={classes.inside}>
        <div style={{ display: 'flex', alignItems: 'center', gap: 12 }}>
          <Logo size={32} />
          <div>
            <Text fw={600} dir="auto" className="named">
              {here.data?.account ?? ''}
            </Text>
            <Text size="sm" c="dimmed" dir="auto" className="named">
              {here.data?.name ?? ''}
            </Text>
          </div>
        </div>
        {here.isPending && <Loading rows={3} />}
        {here.isError && here.error.status !== 401 && (
          <Problem problem={here.error} retry={() => void here.refetch()} />
        )}
        {here.data !== undefined && cashier === undefined && (
          <Names
            here={here.data}
            choose={(id) => {
              enter.reset()
              setChosen(id)
            }}
          />
        )}
        {here.data !== undefined && cashier !== undefined && (
          <PinPad
            key={cashier.id}
            name={cashier.name}
            busy={enter.isPending}
            problem={
              enter.error === null || enter.error.has('pin_paused')
                ? undefined
                : enter.error.has('pin_wrong')
                  ? t('till.wrong')
                  : problemText(enter.error, t)
            }
            pause={pauseOf(here.data, cashier)}
            send={(pin) => send(cashier.id, pin)}
            back={() => {
              enter.reset()
              setChosen(undefined)
            }}
          />
        )}
        <div className={classes.foot}>
          {close !== undefined && (
            <>
              <Button variant="default" size="md" onClick={close}>
                {t('till.back')}
              </Button>
              <Button
                variant="default"
                size="md"
                loading={lock.isPending}
                onClick={() => lock.mutate({}, { onSettled: reload })}
              >
                {t('till.lock')}
              </Button>
            </>
          )}
          {close === undefined && (
            <Button variant="subtle" size="compact-sm" onClick={() => setByEmail(true)}>
              {t('till.signIn')}
            </Button>
          )}
          <LanguageSwitch />
        </div>
      </Inside>
    </div>
  )
}

/** The longer of the two pauses counts. */
const pauseOf = (here: Here, cashier: Here['cashiers'][number]) => {
  const counter = here.paused_until === null ? 0 : Date.parse(here.paused_until)
  const own = cashier.paused_until === null ? 0 : Date.parse(cashier.paused_until)
  if (counter === 0 && own === 0) return undefined
  return own >= counter ? { until: own, of: 'cashier' as const } : { until: counter, of: 'counter' as const }
}

const Names = ({ here, choose }: { here: Here; choose: (id: string) => void }) => {
  const { t, language } = useWords(tillWords)
  const wait = (until: string | null): string | undefined =>
    until === null ? undefined : remainingText(Date.parse(until), currentTime())
  return (
    <>
      <Title order={1}>{t('till.who')}</Title>
      {here.cashiers.length === 0 && <Text>{t('till.none')}</Text>}
      <ul className={classes.names}>
        {here.cashiers.map(({ id, name, paused_until }) => {
          const paused = wait(paused_until) ?? wait(here.paused_until)
          return (
            <li key={id}>
              <button type="button" className={classes.name} data-here={id === here.cashier} onClick={() => choose(id)}>
                <bdi className="named">{name}</bdi>
                {paused !== undefined && <span className={classes.small}>{inDigits(paused, language)}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}

export default LockScreen
