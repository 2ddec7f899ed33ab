/**
 * A guide through a first payment on the test wallet: create, pay, attach the reference, see the webhook. The progress is in
 * the URL and on the server, so a user who leaves the page loses nothing.
 */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, State } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Loading, Page } from '../../parts/page/page.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { amountsWords } from '../../words/screens/amounts.ts'
import { firstPaymentWords } from '../../words/screens/first-payment.ts'
import { AskContact } from '../checkouts/shop-contact.tsx'
import { SuggestedForWallets } from '../wallets/suggested-amounts.tsx'
import classes from './first-payment.module.css'
import { Step } from './step.tsx'
import { WebhookStep } from './webhook-step.tsx'

type ShownIntent = Answer<'showIntent'>

const price = '1500.00'

/** A made-up reference; eight digits are enough for a test. */
const newReference = (): string => {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `TEST-${String(number % 100_000_000).padStart(8, '0')}`
}

const FirstPayment = () => {
  const { t } = useWords(firstPaymentWords)
  const [params, setParams] = useSearchParams()
  const id = params.get('intent')
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const wallet = wallets.data?.results.find(({ is_test }) => is_test)
  const intent = useApi('showIntent', {
    path: { id: id ?? '' },
    kinds: ['intent', 'alert', 'delivery', 'webhook'],
    when: id !== null,
    every_ms: 5000,
  })
  const shown = id === null ? undefined : intent.data
  const problem = wallets.error ?? (id === null ? null : intent.error)
  const setProgress = (progress: Record<string, string>): void => setParams(new URLSearchParams(progress))
  return (
    <Page title={t('frame.firstPayment')}>
      <Lead>{t('first.lead')}</Lead>
      {problem !== null && <Problem problem={problem} retry={() => setProgress({})} />}
      {problem === null && (wallet === undefined || (id !== null && shown === undefined)) && <Loading rows={5} />}
      {problem === null && wallet !== undefined && (id === null || shown !== undefined) && (
        <ol className={classes.steps}>
          <Create wallet={wallet} intent={shown} created={(intent) => setProgress({ intent })} />
          <Pay
            wallet={wallet.id}
            intent={shown}
            reference={params.get('reference')}
            paid={(reference) => setProgress({ intent: id ?? '', reference })}
          />
          <Attach intent={shown} reference={params.get('reference')} />
          <WebhookStep intent={shown} />
        </ol>
      )}
      <AskContact />
      <SuggestedForWallets wallets={wallets.data?.results ?? []} />
      {shown !== undefined && shown.status !== 'PENDING' && (
        <Group>
          <Button component={Link} href={`/intents/${shown.id}`} variant="default">
            {t('act.openIntent')}
          </Button>
          <Button variant="subtle" onClick={() => setProgress({})}>
            {t('first.again')}
          </Button>
        </Group>
      )}
    </Page>
  )
}

export default FirstPayment

const Create = (props: {
  wallet: { readonly id: string; readonly currency: string }
  intent: ShownIntent | undefined
  created: (id: string) => void
}) => {
  const { t, language } = useWords(firstPaymentWords)
  const create = useApiMutation('createIntent', ['intent'])
  const { wallet, intent } = props
  const send = (): void =>
    create.mutate(
      {
        headers: { 'SERVICE-IDEMPOTENCY-KEY': crypto.randomUUID() },
        body: { wallet: wallet.id, amount: price },
      },
      { onSuccess: ({ id }) => props.created(id) },
    )
  return (
    <Step
      number={1}
      name={t('first.create')}
      lead={t('first.createLead')}
      state={intent === undefined ? 'now' : 'done'}
    >
      {intent === undefined ? (
        <Group>
          <Button onClick={send} loading={create.isPending}>
            {t('first.createGo', { amount: moneyText(price, wallet.currency, language) })}
          </Button>
        </Group>
      ) : (
        <Text>
          {t('first.created', {
            code: intent.code,
            amount: moneyText(intent.payable_amount, intent.currency, language),
          })}
        </Text>
      )}
      {create.error !== null && <Problem problem={create.error} />}
    </Step>
  )
}

const Pay = (props: {
  wallet: string
  intent: ShownIntent | undefined
  reference: string | null
  paid: (reference: string) => void
}) => {
  const { t, language } = useWords(firstPaymentWords)
  const pay = useApiMutation('makeTestPayment', ['intent', 'alert', 'wallet', 'phone'])
  const { intent, reference } = props
  // The same for every attempt: a second click is not a second payment.
  const [madeUpReference] = useState(newReference)
  const message = intent?.alert?.text ?? intent?.nearest.find((alert) => alert.reference === reference)?.text
  const paid = reference !== null || intent?.alert != null
  const state = intent === undefined ? 'before' : paid || intent.status !== 'PENDING' ? 'done' : 'now'
  const send = (): void =>
    pay.mutate(
      { body: { wallet: props.wallet, amount: intent?.payable_amount ?? price, reference: madeUpReference } },
      { onSuccess: () => props.paid(madeUpReference) },
    )
  return (
    <Step number={2} name={t('first.pay')} lead={t('first.payLead')} state={state}>
      {state === 'now' && intent !== undefined && (
        <Group>
          <Button onClick={send} loading={pay.isPending}>
            {t('first.payGo', { amount: moneyText(intent.payable_amount, intent.currency, language) })}
          </Button>
        </Group>
      )}
      {paid && (message ?? pay.data?.text) !== undefined && (
        <Stack gap={4}>
          <Text>{t('first.paid')}</Text>
          <p className={classes.message} dir="auto">
            {message ?? pay.data?.text}
          </p>
        </Stack>
      )}
      {pay.data?.state === 'held' && <Text c="var(--sanad-wrong)">{t('first.held')}</Text>}
      {pay.error !== null && <Problem problem={pay.error} />}
    </Step>
  )
}

const Attach = ({ intent, reference }: { intent: ShownIntent | undefined; reference: string | null }) => {
  const { t } = useWords(amountsWords, firstPaymentWords)
  const attach = useApiMutation('attachReference', ['intent', 'alert'])
  const hasEnded = intent !== undefined && intent.status !== 'PENDING'
  const state = hasEnded ? 'done' : intent === undefined || reference === null ? 'before' : 'now'
  return (
    <Step number={3} name={t('first.attach')} lead={t('first.attachLead')} state={state}>
      {state === 'now' && intent !== undefined && reference !== null && (
        <Group>
          <Button
            loading={attach.isPending}
            onClick={() => attach.mutate({ path: { id: intent.id }, body: { reference } })}
          >
            {t('first.attachGo', { reference })}
          </Button>
          {intent.reference !== '' && <Code>{intent.reference}</Code>}
        </Group>
      )}
      {intent?.status === 'VERIFIED' && (
        <Group gap="sm" role="status">
          <span className="stamp">
            <State state="VERIFIED" />
          </span>
          <Text>{t('first.verified')}</Text>
        </Group>
      )}
      {hasEnded && intent?.status !== 'VERIFIED' && intent !== undefined && (
        <Text>{t('first.over', { state: t(`state.${intent.status}`) })}</Text>
      )}
      {attach.error !== null && <Problem problem={attach.error} />}
      <Quiet>{t('amounts.noNumber')}</Quiet>
    </Step>
  )
}
