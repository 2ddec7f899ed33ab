/**
 * The live roll: all money that arrives in real wallets, newest first, matched or not. Money without a doubt is taken as a sale by
 * one touch; paid orders are marked as handed over.
 */
import { Button, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { usePagedList } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import classes from './counter.module.css'
import type { Counter, RollEntry } from './counter-data.ts'
import { RollLine } from './roll-line.tsx'

/** The entries that are known, each once: those of the counter are the newest. */
const joined = (newest: readonly RollEntry[], older: readonly RollEntry[]): RollEntry[] => {
  const byId = new Map([...older, ...newest].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}

export const Roll = ({ counter }: { counter: Counter }) => {
  const { t } = useWords(counterWords)
  const [isWhole, setWhole] = useState(false)
  const pages = usePagedList('listRoll', { query: { page_size: 50 }, kinds: ['alert', 'intent'], when: isWhole })
  const { results, next } = counter.roll
  const entries = isWhole ? joined(results, pages.rows ?? []) : results
  const isLoading = isWhole && (pages.busy || pages.rows === undefined)
  const hasMore = isWhole ? isLoading || pages.more !== undefined : next !== null
  return (
    <section aria-labelledby="roll">
      <Title order={2} id="roll" mb="xs">
        {t('counter.roll')}
      </Title>
      {entries.length === 0 ? (
        <p className={`card ${classes.empty}`}>{t('counter.rollEmpty')}</p>
      ) : (
        <Stack gap="sm">
          <ol className={`card ${classes.roll}`}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <RollLine entry={entry} />
              </li>
            ))}
          </ol>
          {isWhole && pages.problem !== null && <Problem problem={pages.problem} retry={pages.retry} />}
          {hasMore && (
            <Button
              variant="default"
              mih={44}
              loading={isLoading && pages.problem === null}
              onClick={() => (isWhole ? pages.more?.() : setWhole(true))}
            >
              {t('counter.older')}
            </Button>
          )}
        </Stack>
      )}
    </section>
  )
}
