/** One search over intents and alerts: the results of each with their state, and links. */
import { Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { usualCurrency } from '@sanad/contract/currency'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { isTyping } from '../../frame/keys/is-typing.ts'
import { signOf } from '../../frame/keys/shortcut.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { Code, Money, State, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { receivedAmount } from '../../parts/format/received-amount.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { Empty, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { searchWords } from '../../words/screens/search.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import classes from './search.module.css'

type Found = Answer<'search'>

const shortestSearch = 2
const pause_ms = 250

const SearchScreen = () => {
  const { t } = useWords(searchWords)
  const [params, setParams] = useSearchParams()
  const searched = params.get('q') ?? ''
  const [text, setText] = useState(searched)
  const [debounced] = useDebouncedValue(text.trim(), pause_ms)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  // The search text is in the URL: it can be shared, and Back works.
  useEffect(() => setText((typed) => (typed.trim() === searched ? typed : searched)), [searched])
  const search = (query: string): void => setParams(query === '' ? {} : { q: query }, { replace: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing starts a search, a change of the address does not
  useEffect(() => {
    if (debounced !== searched) search(debounced)
  }, [debounced])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (signOf(event) !== '/' || isTyping(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const isLongEnough = searched.length >= shortestSearch
  const found = useApi('search', { query: { q: searched }, kinds: ['intent', 'alert'], when: isLongEnough, keep: true })
  const find = (event: FormEvent): void => {
    event.preventDefault()
    search(text.trim())
  }
  return (
    <Page title={t('frame.search')}>
      <search>
        <form onSubmit={find}>
          <TextInput
            ref={field}
            label={t('search.lead')}
            leftSection={<IconSearch size={16} aria-hidden />}
            dir="auto"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={128}
            maw={560}
            {...bindText(text, setText)}
          />
        </form>
      </search>
      {searched !== '' && !isLongEnough && <Text c="dimmed">{t('list.tooShort')}</Text>}
      {isLongEnough && found.isError && <Problem problem={found.error} retry={() => void found.refetch()} />}
      {isLongEnough && found.isLoading && <Loading rows={4} />}
      {isLongEnough && found.data !== undefined && <Results found={found.data} />}
    </Page>
  )
}

export default SearchScreen

const Results = ({ found }: { found: Found }) => {
  const { t } = useWords(searchWords)
  if (found.intents.length === 0 && found.alerts.length === 0)
    return (
      <Empty>
        {t('search.none')} {t('search.noneLead')}
      </Empty>
    )
  return (
    <Stack gap="lg" role="status">
      <Stack gap="xs">
        <Title order={2}>{t('frame.intents')}</Title>
        {found.intents.length === 0 ? (
          <Text c="dimmed">{t('search.noIntents')}</Text>
        ) : (
          <ul className={`card ${classes.list}`}>
            {found.intents.map((intent) => (
              <li key={intent.id}>
                <FoundIntent intent={intent} />
              </li>
            ))}
          </ul>
        )}
      </Stack>
      <Stack gap="xs">
        <Title order={2}>{t('search.money')}</Title>
        {found.alerts.length === 0 ? (
          <Text c="dimmed">{t('search.noMoney')}</Text>
        ) : (
          <ul className={`card ${classes.list}`}>
            {found.alerts.map((alert) => (
              <li key={alert.id}>
                <FoundMoney alert={alert} />
              </li>
            ))}
          </ul>
        )}
      </Stack>
      {found.more && <Text c="dimmed">{t('list.typeMore')}</Text>}
    </Stack>
  )
}

const FoundIntent = ({ intent }: { intent: Found['intents'][number] }) => {
  const { t } = useWords(searchWords, unmatchedWords)
  return (
    <Link href={`/intents/${intent.id}`} className={classes.row}>
      <span className={classes.amount}>
        <Money amount={receivedAmount(intent)} currency={intent.currency} />
        <ArrivalNote of={intent} currency={intent.currency} />
      </span>
      <span className={classes.state}>
        <State state={intent.status} />
      </span>
      <span className={classes.about}>
        {orderText(intent, t)}
        {intent.external_order_id !== '' && (
          <>
            {' · '}
            <Code>{intent.code}</Code>
          </>
        )}
        {intent.reference !== '' && (
          <>
            {' · '}
            {t('field.reference')} <Code>{intent.reference}</Code>
          </>
        )}
        {' · '}
        <WalletName wallet={intent.wallet} />
        {' · '}
        <When at={intent.created_at} />
      </span>
    </Link>
  )
}

const FoundMoney = ({ alert }: { alert: Found['alerts'][number] }) => {
  const { t } = useWords(searchWords, unmatchedWords)
  return (
    <Link href={`/unmatched/${alert.id}`} className={classes.row}>
      <span className={classes.amount}>
        {alert.amount === null ? (
          t('unmatched.notRead')
        ) : (
          <Money amount={alert.amount} currency={alert.currency ?? usualCurrency} />
        )}
      </span>
      <span className={classes.state} data-state={alert.state}>
        {alert.doubts.length > 0 && (
          <>
            <IconAlertTriangle size={14} aria-hidden className={classes.doubt} />
            <VisuallyHidden>{t('unmatched.lookTwice')}: </VisuallyHidden>
          </>
        )}
        {t(`unmatched.state.${alert.state}`)}
      </span>
      <span className={classes.about}>
        <bdi>{alert.payer === '' ? t('unmatched.noPayer') : alert.payer}</bdi>
        {alert.reference !== '' && (
          <>
            {' · '}
            {t('field.reference')} <Code>{alert.reference}</Code>
          </>
        )}
        {alert.intent !== null && (
          <>
            {' · '}
            {orderText(alert.intent, t)}
          </>
        )}
        {alert.wallet !== null && (
          <>
            {' · '}
            <WalletName wallet={alert.wallet} />
          </>
        )}
        {' · '}
        <When at={alert.received_at} />
      </span>
    </Link>
  )
}
