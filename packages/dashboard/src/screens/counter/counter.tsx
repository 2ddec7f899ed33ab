/**
 * The counter, the cashier's screen for the whole day: the live roll of the money that arrives, a search that answers in one word
 * whether a payment has arrived, a new sale, and sound. An answer always belongs to the text in the field: results of another search are
 * never shown beside it.
 */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconVolume, IconVolumeOff, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { isConnected, useConnection } from '../../api/connection.ts'
import { keptFile } from '../../api/load-file.ts'
import { useApi } from '../../api/use-api.ts'
import { isTyping } from '../../frame/keys/is-typing.ts'
import { signOf } from '../../frame/keys/shortcut.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Loading, Page } from '../../parts/page/page.tsx'
import { relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { ShiftButton } from '../shifts/shift-button.tsx'
import classes from './counter.module.css'
import type { Counter as CounterData } from './counter-data.ts'
import { searchText } from './keypad.ts'
import { Roll } from './roll.tsx'
import { type Sound, useSound } from './sound.ts'
import { UndoBars } from './undo-bar.tsx'
import { useAnnouncements } from './use-announcements.ts'

// Answers and new sales are not part of the first load. Their files are fetched after the first touch or key, as those of dialogs are.
const loadResults = keptFile(() => import('./results.tsx'))
const loadMoneyCard = keptFile(() => import('./money-card.tsx'))
const loadNewSale = keptFile(() => import('./new-sale.tsx'))
const loadSale = keptFile(() => import('./sale.tsx'))
const Results = lazy(async () => ({ default: (await loadResults()).Results }))
const MoneyCard = lazy(async () => ({ default: (await loadMoneyCard()).MoneyCard }))
const NewSale = lazy(async () => ({ default: (await loadNewSale()).NewSale }))
const Sale = lazy(async () => ({ default: (await loadSale()).Sale }))

const useRestLater = (): void =>
  useEffect(() => {
    const fetchRest = (): void => {
      // They are fetched when they are needed: a browser may remember for good that a file did not arrive.
      if (!isConnected()) return
      for (const load of [loadResults, loadMoneyCard, loadNewSale, loadSale]) load().catch(() => {})
    }
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, fetchRest, { once: true })
    return () => {
      for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, fetchRest)
    }
  }, [])

const CounterScreen = () => {
  const { language } = useWords()
  const [location] = useLocation()
  const sound = useSound(language)
  // No event reports that a phone has become silent, so the data is also fetched at intervals.
  const counter = useApi('showCounter', { kinds: ['intent', 'alert', 'wallet', 'phone', 'shift'], every_ms: 30_000 })
  useAnnouncements(counter.data, sound, language)
  useRestLater()
  const [, , page = '', id = ''] = location.split('/')
  if (page === 'new')
    return (
      <Suspense fallback={<Loading />}>
        <NewSale />
      </Suspense>
    )
  if (page === 'sale' && id !== '')
    return (
      <Suspense fallback={<Loading />}>
        <Sale id={id} counter={counter.data} />
      </Suspense>
    )
  return <Main counter={counter} sound={sound} />
}

export default CounterScreen

const Main = ({ counter, sound }: { counter: ReturnType<typeof useApi<'showCounter'>>; sound: Sound }) => {
  const { t } = useWords(counterWords)
  const { may } = useMe()
  const [params] = useSearchParams()
  const searched = params.get('q') ?? ''
  const money = params.get('money') ?? ''
  const [text, setText] = useState(searched)
  return (
    <Page
      title={t('frame.counter')}
      actions={
        <>
          <SoundSwitch sound={sound} />
          <ShiftButton counter={counter.data} />
          {may('checkouts.write') && (
            <Button component={Link} href="/counter/new" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('sale.title')}
            </Button>
          )}
        </>
      }
    >
      {sound.isOn && <SoundState sound={sound} />}
      <div className={classes.counter} data-idle={(searched === '' && money === '') || undefined}>
        <Stack gap="md" className={classes.answers}>
          <SearchBox searched={searched} text={text} setText={setText} />
          <Suspense fallback={<Loading rows={5} />}>
            {searched !== '' && text.trim() === searched && counter.data !== undefined && (
              <Answered searched={searched} counter={counter.data} />
            )}
            {searched === '' && text.trim() === '' && money !== '' && <MoneyCard key={money} id={money} />}
          </Suspense>
        </Stack>
        <Stack gap="md">
          {counter.isError && <Problem problem={counter.error} retry={() => void counter.refetch()} />}
          {counter.data === undefined ? (
            !counter.isError && <Loading rows={6} />
          ) : (
            <>
              <DataAge at={Date.parse(counter.data.at)} />
              <Roll counter={counter.data} />
            </>
          )}
        </Stack>
      </div>
      {counter.data !== undefined && <UndoBars counter={counter.data} />}
    </Page>
  )
}

/** While there is no connection: how old the shown data is. */
const DataAge = ({ at }: { at: number }) => {
  const { t, language } = useWords(counterWords)
  const connection = useConnection()
  const now = useNow()
  if (connection.kind === 'up') return null
  return (
    <p className={classes.loud} role="status">
      {t('counter.lineDown', { when: relativeTime(new Date(at).toISOString(), now, language) })}
    </p>
  )
}

/** A machine with a mouse has a keyboard too: no on-screen keyboard covers the page when the field has the focus. */
const hasKeyboard = (): boolean => window.matchMedia('(pointer: fine)').matches

const SearchBox = (props: { searched: string; text: string; setText: (text: string) => void }) => {
  const { searched, text, setText } = props
  const { t } = useWords(counterWords)
  const [, setParams] = useSearchParams()
  const field = useRef<HTMLInputElement>(null)
  const clearSearch = useRef(() => {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back and the roll change what is searched for
  useEffect(() => setText(searched), [searched])
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : undefined
      const typing = target?.closest('input, textarea, select') ?? undefined
      // Not inside a dialog, which Escape closes, and not in another field.
      if (event.key === 'Escape' && !event.defaultPrevented && target?.closest('[role=dialog]') == null) {
        if (typing === undefined || typing === field.current) clearSearch.current()
        return
      }
      if (signOf(event) !== '/' || isTyping(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const find = (event: FormEvent): void => {
    event.preventDefault()
    const query = text.trim()
    setText(query)
    setParams(query === '' ? {} : { q: query })
    // An on-screen keyboard would cover the answer. With a real keyboard the next search replaces this text.
    if (hasKeyboard()) field.current?.select()
    else field.current?.blur()
  }
  const clear = (): void => {
    setText('')
    setParams({})
    field.current?.focus()
  }
  clearSearch.current = () => {
    setText('')
    setParams({})
  }
  return (
    <search>
      <form onSubmit={find} className={classes.search}>
        <TextInput
          ref={field}
          size="lg"
          aria-label={t('counter.field')}
          placeholder={t('frame.searchHint')}
          description={t('counter.fieldLead')}
          inputWrapperOrder={['input', 'description']}
          dir="auto"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={128}
          className={classes.field ?? ''}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rightSection={
            text === '' ? undefined : (
              <button type="button" className={classes.clear} aria-label={t('counter.clear')} onClick={clear}>
                <IconX size={20} aria-hidden />
              </button>
            )
          }
        />
        <Button type="submit" size="lg" className={classes.find ?? ''} aria-label={t('frame.search')}>
          <IconSearch size={22} aria-hidden />
        </Button>
      </form>
    </search>
  )
}

const shortestSearch = 2

const Answered = ({ searched, counter }: { searched: string; counter: CounterData }) => {
  const { t } = useWords(counterWords)
  const [params, setParams] = useSearchParams()
  const client = useQueryClient()
  const connection = useConnection()
  const query = { q: searchText(searched) }
  const isLongEnough = query.q.length >= shortestSearch
  // Without `keep`: the answer of another search is never shown meanwhile.
  const found = useApi('search', { query, kinds: ['intent', 'alert'], when: isLongEnough })
  if (!isLongEnough) return <Text c="dimmed">{t('list.tooShort')}</Text>
  const choose = (key: string): void => setParams(key === '' ? { q: searched } : { q: searched, hit: key })
  if (found.data === undefined) {
    if (!found.isError && connection.kind === 'up') return <Loading rows={5} />
    if (found.isError && found.error.unanswered === undefined)
      return <Problem problem={found.error} retry={() => void found.refetch()} />
    return (
      <p className={classes.loud} role="status">
        {t('counter.waitsForLine')}
      </p>
    )
  }
  const answeredAt = client.getQueryState(['search', null, query])?.dataUpdatedAt
  return (
    <>
      {answeredAt !== undefined && <DataAge at={answeredAt} />}
      <Results found={found.data} typed={query.q} counter={counter} chosen={params.get('hit') ?? ''} choose={choose} />
    </>
  )
}

const SoundSwitch = ({ sound }: { sound: Sound }) => {
  const { t } = useWords(counterWords)
  const Sign = sound.isOn ? IconVolume : IconVolumeOff
  return (
    <Button
      variant={sound.isOn ? 'light' : 'default'}
      aria-pressed={sound.isOn}
      {...(sound.isOn ? {} : { title: t('counter.soundOff') })}
      leftSection={<Sign size={18} aria-hidden />}
      onClick={() => sound.switchTo(!sound.isOn)}
    >
      {t('counter.sound')}
    </Button>
  )
}

const SoundState = ({ sound }: { sound: Sound }) => {
  const { t } = useWords(counterWords)
  if (sound.needsTouch)
    return (
      <p className={classes.loud} role="status">
        {t('counter.soundTouch')}
      </p>
    )
  return (
    <Text size="sm" c="dimmed" role="status" mt={-16}>
      {t(sound.hasVoice ? 'counter.soundOn' : 'counter.soundChime')}
    </Text>
  )
}
