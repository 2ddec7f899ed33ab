/** The results of the search: one answer, a short list to choose from, or that nothing was found. */
import { Button, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useConnection } from '../../api/connection.ts'
import { useApi } from '../../api/use-api.ts'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { answerOf, type CounterAnswer, type Doubt, type Found, type Hit, hitOf, hitsOf } from './answer.ts'
import { AnswerCard } from './answer-card.tsx'
import classes from './counter.module.css'
import { type Counter, referenceEnd } from './counter-data.ts'
import { useHandedOverText } from './hand-over.tsx'
import { OneAnswer } from './one-answer.tsx'
import { useDoubtText } from './phone-line.tsx'

type Props = { found: Found; typed: string; counter: Counter; chosen: string; choose: (key: string) => void }

export const Results = ({ found, typed, counter, chosen, choose }: Props) => {
  const { t } = useWords(counterWords)
  const now = useNow()
  const isConnected = useConnection().kind === 'up'
  const picked = chosen === '' ? undefined : hitOf(hitsOf(found), chosen)
  if (picked !== undefined)
    return (
      <Stack gap="sm">
        <div>
          <Button
            variant="transparent"
            px={0}
            leftSection={
              <span className="mirrored">
                <IconArrowLeft size={16} aria-hidden />
              </span>
            }
            onClick={() => choose('')}
          >
            {t('counter.backToList')}
          </Button>
        </div>
        <OneAnswer hit={picked} counter={counter} />
      </Stack>
    )
  const answer = answerOf(found, typed, { wallets: counter.wallets, isConnected, now })
  return (
    <Stack gap="md">
      <Main answer={answer} typed={typed} counter={counter} choose={choose} more={found.more} />
      {answer.others.length > 0 && (
        <Stack gap="xs">
          <Title order={3}>{t('counter.others')}</Title>
          <Choices hits={answer.others} choose={choose} />
        </Stack>
      )}
      {found.more && answer.kind !== 'none' && <Text c="dimmed">{t('list.typeMore')}</Text>}
    </Stack>
  )
}

type MainProps = Omit<Props, 'found' | 'chosen'> & { answer: CounterAnswer; more: boolean }

const Main = ({ answer, typed, counter, choose, more }: MainProps) => {
  const { t } = useWords(counterWords)
  if (answer.kind === 'one') return <OneAnswer hit={answer.hit} counter={counter} />
  if (answer.kind === 'none') return <NotHere doubts={answer.doubts} typed={typed} more={more} />
  return (
    <Stack gap="xs">
      <Title order={2}>{t('counter.several')}</Title>
      {answer.compare && <Text>{t('counter.compare')}</Text>}
      <Choices hits={answer.hits} choose={choose} />
    </Stack>
  )
}

/** `more`: older messages were not searched. A payment of the last minutes is among the newest. */
const NotHere = ({ doubts, typed, more }: { doubts: readonly Doubt[]; typed: string; more: boolean }) => {
  const { t } = useWords(counterWords)
  const doubtText = useDoubtText()
  const counts = useApi('countUnmatched', { kinds: ['alert'] })
  const unread = counts.data?.unread.count ?? 0
  const isSure = doubts.length === 0
  return (
    <AnswerCard tone={isSure ? 'none' : 'unsure'} title={t(isSure ? 'counter.none' : 'counter.cannotKnow')}>
      <p>{t(isSure ? 'counter.noneLead' : 'counter.cannotKnowLead', { text: typed })}</p>
      {isSure ? (
        <p className={classes.small}>{t('counter.phonesHeard')}</p>
      ) : (
        <ul className={classes.doubts}>
          {doubts.map((doubt) => (
            <li key={'wallet' in doubt ? doubt.wallet.id : doubt.kind}>{doubtText(doubt)}</li>
          ))}
        </ul>
      )}
      {more && <p className={classes.small}>{t('counter.onlyNewest')}</p>}
      {unread > 0 && (
        <p className={classes.small}>
          <Link href="/unmatched?state=unread">{t('counter.unread', { count: unread })}</Link>
        </p>
      )}
    </AnswerCard>
  )
}

const Choices = ({ hits, choose }: { hits: readonly Hit[]; choose: (key: string) => void }) => (
  <ul className={`card ${classes.choices}`}>
    {hits.map((hit) => (
      <li key={hit.key}>
        <Choice hit={hit} choose={() => choose(hit.key)} />
      </li>
    ))}
  </ul>
)

const Choice = ({ hit, choose }: { hit: Hit; choose: () => void }) => {
  const { t } = useWords(counterWords, unmatchedWords)
  const handedOverText = useHandedOverText()
  const title = {
    paid: t('state.VERIFIED'),
    money: t('counter.money'),
    waiting: t('counter.waiting'),
    wrong_amount: t('counter.wrong'),
    expired: t('counter.expired'),
    cancelled: t('counter.cancelled'),
    aside: t('counter.aside'),
    taken: t('counter.sale'),
  }[hit.kind]
  return (
    <button
      type="button"
      className={classes.choice}
      data-kind={hit.handedOver === undefined ? hit.kind : 'handed_over'}
      onClick={choose}
    >
      <span className={classes.choiceAmount}>
        {hit.amount === null ? t('unmatched.notRead') : <Money amount={hit.amount} currency={hit.currency} />}
        {hit.arrival !== undefined && <ArrivalNote of={hit.arrival} currency={hit.currency} />}
      </span>
      <span className={classes.choiceState}>{title}</span>
      <span className={classes.choiceAbout}>
        {hit.order !== undefined && (
          <>
            <bdi>{orderText(hit.order, t)}</bdi>
            {' · '}
          </>
        )}
        {hit.payer !== '' && (
          <>
            <bdi>{hit.payer}</bdi>
            {' · '}
          </>
        )}
        {hit.wallet !== null && (
          <>
            <WalletName wallet={hit.wallet} />
            {' · '}
          </>
        )}
        <When at={hit.at} />
        {hit.reference !== '' && (
          <>
            {' · '}
            <Code>{`··${referenceEnd(hit.reference)}`}</Code>
          </>
        )}
        {hit.handedOver !== undefined && <> · {handedOverText(hit.handedOver)}</>}
      </span>
    </button>
  )
}
