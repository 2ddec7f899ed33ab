/** What the account keeps of a buyer, found and erased by phone number, for owners. */

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { buyerCounts } from '@sanad/contract/buyer-kinds'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Moment } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { asciiDigits } from '../../parts/format/typed-amount.ts'
import { Section } from '../../parts/page/section.tsx'
import { buyerWords } from '../../words/buyers.ts'
import { useWords } from '../../words/language.ts'

type Found = Answer<'findBuyer'>['found'][number]
type Result = { readonly found: readonly Found[]; readonly lookedAt: number; readonly isOver: boolean }

const nothing: Result = { found: [], lookedAt: 0, isOver: false }

const earliest = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a)
const latest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

/** The counts of two steps, by kind. */
const together = (sum: readonly Found[], step: readonly Found[]): Found[] =>
  step.map((one) => {
    const before = sum.find(({ kind }) => kind === one.kind)
    if (before === undefined) return one
    const counts = Object.fromEntries(buyerCounts.map((name) => [name, before[name] + one[name]]))
    const times = { oldest: earliest(before.oldest, one.oldest), newest: latest(before.newest, one.newest) }
    return { ...one, ...counts, ...times }
  })

export const Buyers = () => {
  const { t } = useWords(buyerWords)
  const find = useApiMutation('findBuyer', [])
  const erase = useApiMutation('eraseBuyer', ['account', 'intent', 'alert'])
  const [phone, setPhone] = useState('')
  const [again, setAgain] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<Result>()
  const isStopped = useRef(false)
  // Leaving the page stops it.
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  /** Step after step, until everything was looked at or somebody stops it. */
  const run = async (call: typeof find | typeof erase): Promise<void> => {
    isStopped.current = false
    setRunning(true)
    let shown = nothing
    let cursor: string | null = null
    try {
      do {
        const step: Answer<'findBuyer'> = await call.mutateAsync({
          body: cursor === null ? { phone } : { phone, cursor },
        })
        cursor = step.cursor
        shown = {
          found: together(shown.found, step.found),
          lookedAt: shown.lookedAt + step.looked_at,
          isOver: cursor === null,
        }
        setResult(shown)
        setAsking(false)
      } while (cursor !== null && !isStopped.current)
    } catch {
      // The mutation shows its problem.
    } finally {
      setRunning(false)
    }
  }
  const search = (event: FormEvent): void => {
    event.preventDefault()
    erase.reset()
    setResult(undefined)
    void run(find)
  }
  const kinds = (result?.found ?? []).filter((one) => buyerCounts.some((name) => one[name] > 0))
  const canErase =
    result?.isOver === true && kinds.some((one) => one.found > one.erased + one.waiting + one.recent + one.fixed)
  const beside = fieldProblem(find.error, 'phone', t)
  return (
    <Section title={t('buyers.title')}>
      <Stack gap="sm" maw={560}>
        <Text size="sm">{t('buyers.lead')}</Text>
        {find.error !== null && beside === undefined && <Problem problem={find.error} />}
        {!isAsking && erase.error !== null && <Problem problem={erase.error} />}
        <form onSubmit={search}>
          <Group align="flex-end">
            <TextInput
              label={t('buyers.phone')}
              type="tel"
              dir="ltr"
              autoComplete="off"
              maxLength={40}
              required
              disabled={isRunning}
              value={phone}
              onChange={(event) => {
                setPhone(event.currentTarget.value)
                setResult(undefined)
              }}
              error={beside}
            />
            {isRunning ? (
              <Button
                variant="default"
                onClick={() => {
                  isStopped.current = true
                }}
              >
                {t('act.stop')}
              </Button>
            ) : (
              <Button type="submit">{t('act.find')}</Button>
            )}
          </Group>
        </form>
        <div role="status">
          {result !== undefined && <Text size="sm">{t('buyers.lookedAt', { rows: result.lookedAt })}</Text>}
          {result?.isOver === true && kinds.length === 0 && <Text size="sm">{t('buyers.nothing')}</Text>}
        </div>
        {kinds.map((one) => (
          <div key={one.kind}>
            <Text fw={600}>{t(`buyers.${one.kind}`)}</Text>
            {buyerCounts
              .filter((name) => one[name] > 0)
              .map((name) => (
                <Text size="sm" key={name}>
                  {t(`buyers.${name}`, { rows: one[name] })}
                </Text>
              ))}
            {one.oldest !== null && one.newest !== null && (
              <Quiet>
                <Moment at={one.oldest} /> – <Moment at={one.newest} />
              </Quiet>
            )}
          </div>
        ))}
        {canErase && (
          <Group>
            <Button
              color="red"
              disabled={isRunning}
              onClick={() => {
                setAgain('')
                erase.reset()
                setAsking(true)
              }}
            >
              {t('buyers.erase')}
            </Button>
          </Group>
        )}
      </Stack>
      {isAsking && (
        <Confirm
          title={t('buyers.confirm')}
          submitLabel={t('buyers.erase')}
          danger
          ready={asciiDigits(again).replace(/\D/g, '') === asciiDigits(phone).replace(/\D/g, '')}
          call={{ isPending: isRunning, error: erase.error }}
          yes={() => void run(erase)}
          no={() => setAsking(false)}
        >
          <Text size="sm">{t('buyers.confirmText')}</Text>
          <TextInput
            label={t('buyers.phone')}
            type="tel"
            dir="ltr"
            autoComplete="off"
            maxLength={40}
            {...bindText(again, setAgain)}
          />
        </Confirm>
      )}
    </Section>
  )
}
