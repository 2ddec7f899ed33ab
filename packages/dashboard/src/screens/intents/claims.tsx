/** A reference that two orders claim: who has it, who claims it, since when; and the button that moves it. */
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import classes from './claims.module.css'
import type { ShownIntent } from './intent.ts'
import { byText } from './intent-details.tsx'

type Claim = ShownIntent['claims'][number]
type Party = Claim['claimer']

/** The key of the title: whether two orders claim a number, or more. */
export const claimsTitle = (claims: readonly Claim[]) =>
  new Set(claims.map(({ reference }) => reference)).size < claims.length ? 'claims.titleMany' : 'claims.title'

/** `intentId`: the intent that the screen shows, which is not linked. */
export const Claims = ({ claims, intentId }: { claims: readonly Claim[]; intentId?: string }) => {
  const { t } = useWords(intentsWords)
  if (claims.length === 0) return null
  const title = t(claimsTitle(claims))
  return (
    <section className={classes.claims} aria-label={title}>
      <p className={classes.title}>{title}</p>
      {claims.map((claim) => (
        <OneClaim key={`${claim.claimer.id} ${claim.reference}`} claim={claim} intentId={intentId} />
      ))}
    </section>
  )
}

const OneClaim = ({ claim, intentId }: { claim: Claim; intentId: string | undefined }) => {
  const { t } = useWords(intentsWords, unmatchedWords)
  const { may } = useMe()
  const take = useApiMutation('takeReference', ['intent', 'alert'])
  const attach = useApiMutation('attachReference', ['intent', 'alert'])
  const { claimer, holder, reference, state } = claim
  const order = orderText(claimer, t)
  const problem = take.error ?? attach.error
  const path = { id: claimer.id }
  return (
    <div className={classes.claim}>
      <Code>{reference}</Code>
      {holder === null ? (
        <p>{t('claims.free')}</p>
      ) : (
        <p>
          {t(state === 'paid' ? 'claims.paid' : 'claims.held')} <PartyName party={holder} intentId={intentId} />
        </p>
      )}
      <p>
        {t('claims.claimed')} <PartyName party={claimer} intentId={intentId} />
        {' · '}
        {t('claims.by', { by: byText(claim.by, t) })} <When at={claim.claimed_at} />
      </p>
      {state === 'held' && holder !== null && may('intents.move_reference') && (
        <>
          <p className={classes.quiet}>{t('claims.moveLead')}</p>
          <Button
            variant="default"
            className={classes.go}
            loading={take.isPending}
            onClick={() => take.mutate({ path, body: { reference, from: holder.id } })}
          >
            {t('claims.move', { order })}
          </Button>
        </>
      )}
      {state === 'held' && !may('intents.move_reference') && (
        <p className={classes.quiet}>{t('claims.managerDecides')}</p>
      )}
      {/* Not on the money itself: its amount may differ, and attaching the number would end the order. */}
      {state === 'free' && intentId !== undefined && may('intents.write') && (
        <Button
          variant="default"
          className={classes.go}
          loading={attach.isPending}
          onClick={() => attach.mutate({ path, body: { reference } })}
        >
          {t('claims.attach', { order })}
        </Button>
      )}
      {problem !== null && <Problem problem={problem} />}
    </div>
  )
}

const PartyName = ({ party, intentId }: { party: Party; intentId: string | undefined }) => {
  const { t } = useWords(intentsWords, unmatchedWords)
  const name = (
    <>
      <bdi>{orderText(party, t)}</bdi>
      {party.external_order_id !== '' && (
        <>
          {' '}
          <Code>{party.code}</Code>
        </>
      )}
    </>
  )
  return (
    <>
      {party.id === intentId ? (
        <>
          <b>{name}</b> {t('claims.this')}
        </>
      ) : (
        <Link href={`/intents/${party.id}`}>{name}</Link>
      )}{' '}
      <Money amount={party.payable_amount} currency={party.currency} />
    </>
  )
}
