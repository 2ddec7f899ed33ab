/** The intents that an alert may belong to, each with its reasons. The user books to one of them, or searches for another. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { isNegative, subtract, withoutSign } from '../../parts/format/amounts.ts'
import { Code, Money, State } from '../../parts/format/figures.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { BookingConfirmation, type Target } from './booking-confirmation.tsx'
import { reasonsText } from './likely-reason.ts'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

export const LikelyIntents = ({ alert }: { alert: QueueAlert }) => {
  const { t, language } = useWords(unmatchedWords)
  const { may } = useMe()
  const [target, setTarget] = useState<Target | undefined>(undefined)
  const [searching, setSearching] = useState(false)
  const differenceOf = useDifferenceText(alert)
  const choices = alert.likely.map((likely) => ({ likely, difference: differenceOf(likely) }))
  const hasOtherAmount = choices.some(({ difference }) => difference !== undefined)
  const title = choices.length === 0 ? 'likely.none' : hasOtherAmount ? 'likely.titleReference' : 'likely.title'
  return (
    <div className={classes.likely}>
      <p className={`${classes.small} ${classes.quiet}`}>{t(title)}</p>
      {choices.map(({ likely, difference }) => (
        <Choice
          key={likely.id}
          intent={likely}
          reason={reasonsText(likely.reasons, t, language, difference)}
          differs={difference !== undefined}
          book={setTarget}
        />
      ))}
      {may('unmatched.write') && !searching && (
        <div>
          <Button variant="transparent" px={0} size="compact-sm" onClick={() => setSearching(true)}>
            {t('book.other')}
          </Button>
        </div>
      )}
      {searching && <OtherIntent alert={alert} book={setTarget} />}
      {target !== undefined && <BookingConfirmation alert={alert} target={target} close={() => setTarget(undefined)} />}
    </div>
  )
}

/** A function that writes how much more or less an order asks for than arrived. Undefined: exactly what arrived. */
const useDifferenceText = (alert: QueueAlert) => {
  const { t, language } = useWords(unmatchedWords)
  return ({ payable_amount, currency }: Target): string | undefined => {
    const difference = subtract(payable_amount, alert.amount ?? payable_amount)
    if (difference === '0.00') return undefined
    return t(isNegative(difference) ? 'likely.asksLess' : 'likely.asksMore', {
      difference: moneyText(withoutSign(difference), currency, language),
    })
  }
}

const Choice = (props: { intent: Target; reason: string; differs?: boolean; book: (target: Target) => void }) => {
  const { t } = useWords(unmatchedWords)
  const { may } = useMe()
  const { intent, reason, differs = false } = props
  return (
    <div className={`card ${classes.choice}`}>
      <div>
        <div className={classes.facts}>
          <Link href={`/intents/${intent.id}`}>
            <Code free>{intent.external_order_id === '' ? intent.code : intent.external_order_id}</Code>
          </Link>
          <Money amount={intent.payable_amount} currency={intent.currency} strong />
          <State state={intent.status} />
        </div>
        <p className={`${classes.small} ${differs ? classes.differs : classes.quiet}`}>{reason}</p>
        {intent.external_order_id !== '' && (
          <p className={`${classes.tiny} ${classes.quiet}`}>
            <Code>{intent.code}</Code>
          </p>
        )}
      </div>
      {may('unmatched.write') && (
        <Button size="xs" {...(differs ? { variant: 'default' } : {})} onClick={() => props.book(intent)}>
          {intent.status === 'EXPIRED' ? t('book.copy') : t('act.book')}
        </Button>
      )}
    </div>
  )
}

/** A search for any waiting or expired intent of the wallet. */
export const OtherIntent = ({ alert, book }: { alert: QueueAlert; book: (target: Target) => void }) => {
  const { t } = useWords(unmatchedWords)
  const differenceOf = useDifferenceText(alert)
  const [text, setText] = useState('')
  const [query, setQuery] = useState('')
  const found = useApi('listIntents', {
    query: { search: query, status: ['PENDING', 'EXPIRED'], wallet: alert.wallet?.id, page_size: 5 },
    kinds: ['intent'],
    when: query !== '',
  })
  const find = (event: FormEvent): void => {
    event.preventDefault()
    setQuery(text.trim())
  }
  return (
    <Stack gap={8}>
      <form onSubmit={find}>
        <Group gap="xs" align="flex-end">
          <TextInput label={t('book.otherLead')} dir="auto" {...bindText(text, setText)} flex={1} />
          <Button type="submit" variant="default">
            {t('act.find')}
          </Button>
        </Group>
      </form>
      {found.isLoading && <Loading rows={2} />}
      {found.data?.results.length === 0 && <Text c="dimmed">{t('book.otherNone')}</Text>}
      {found.data?.results.map((intent) => {
        const difference = differenceOf(intent)
        return (
          <Choice
            key={intent.id}
            intent={intent}
            reason={difference ?? t('likely.same_amount')}
            differs={difference !== undefined}
            book={book}
          />
        )
      })}
    </Stack>
  )
}
