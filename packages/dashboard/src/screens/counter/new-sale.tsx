/**
 * A new sale: the amount on a big keypad, an order number if there is one, and the wallet, which this browser remembers. The
 * test wallet is used only if it is chosen, and is never remembered. Then the sale shows what the buyer has to pay, and where.
 */
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type CallInput, ProblemAnswer } from '../../api/call.ts'
import { useConnection } from '../../api/connection.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { NothingReceived } from '../../parts/format/nothing-received.tsx'
import { amountRefusal } from '../../parts/format/refusal-text.ts'
import { readTypedAmount } from '../../parts/format/typed-amount.ts'
import { BackTo } from '../../parts/page/back-to.tsx'
import { Page } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { grouped } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { counterWords, saleWords } from '../../words/screens/counter.ts'
import classes from './counter.module.css'
import { continueTyping, keys, press } from './keypad.ts'
import { firstWallet, offeredWallets } from './sale/first-wallet.ts'
import { lastWallet, rememberWallet } from './sale/last-wallet.ts'
import saleClasses from './sale/sale.module.css'
import { attemptKey, forgetAttempt } from './sale/sale-attempt.ts'
import { WalletRow } from './sale/wallet-row.tsx'

const useWalletChoice = () => {
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const all = wallets.data?.results ?? []
  const offered = offeredWallets(all)
  const [chosen, choose] = useState<string>()
  const isOffered = offered.some(({ id }) => id === chosen)
  const wallet = chosen !== undefined && isOffered ? chosen : firstWallet(all, lastWallet())
  return { offered, isLoaded: wallets.data !== undefined, wallet, choose }
}

const isUnanswered = (problem: Error | null): boolean =>
  problem instanceof ProblemAnswer && problem.unanswered !== undefined

/** Starts a sale. If the answer is lost, the same request is sent again when the connection is back. */
const useStart = () => {
  const [, go] = useLocation()
  const isConnected = useConnection().kind === 'up'
  const start = useApiMutation('startSale', ['checkout', 'intent'])
  const lastBody = useRef<CallInput<'startSale'>['body']>(undefined)
  const send = (body: NonNullable<CallInput<'startSale'>['body']>, isSecond = false): void => {
    lastBody.current = body
    const key = attemptKey(JSON.stringify(body))
    start.mutate(
      { headers: { 'SERVICE-IDEMPOTENCY-KEY': key }, body },
      {
        onSuccess: ({ id, status }) => {
          forgetAttempt()
          // The sale of a lost answer is over meanwhile: this buyer gets one of his own.
          if (status === 'OPEN' || isSecond) go(`/counter/sale/${id}`, { replace: true })
          else send(body, true)
        },
        onError: (problem) => {
          if (!isUnanswered(problem)) forgetAttempt()
        },
      },
    )
  }
  const waitsForLine = isUnanswered(start.error)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the connection is back
  useEffect(() => {
    if (isConnected && waitsForLine && lastBody.current !== undefined) send(lastBody.current)
  }, [isConnected])
  /** The form was changed: what was sent before is not sent again by itself. */
  const drop = (): void => {
    if (start.isError) start.reset()
  }
  return { send, drop, isPending: start.isPending, error: waitsForLine ? null : start.error, waitsForLine }
}

export const NewSale = () => {
  const { t, language } = useWords(counterWords, checkoutsWords, saleWords)
  const start = useStart()
  const { offered, isLoaded, wallet, choose } = useWalletChoice()
  const [typed, setTyped] = useState('')
  const [isTyping, setTyping] = useState(false)
  const [isRefusalShown, showRefusal] = useState(false)
  const [order, setOrder] = useState('')
  const [isWalletAsked, askForWallet] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form changes
  useEffect(() => start.drop(), [typed, order, wallet])
  const errorOf = (attr: string) => fieldProblem(start.error, attr, t)
  const reading = readTypedAmount(typed)
  const isEmpty = typed.trim() === ''
  // The text is not regrouped while it is typed: a decimal point and the user's own separators stay as they are.
  const isGrouped = reading.kind === 'ok' && !isTyping
  const shown = inDigits(isGrouped ? grouped(reading.amount) : typed, language)
  const change = (text: string, inputType: string | undefined): void => {
    setTyped(isGrouped ? continueTyping(reading.amount, shown, text, inputType) : text)
    setTyping(true)
    showRefusal(false)
  }
  const amountProblem = (): string | undefined => {
    if (isEmpty || reading.kind === 'ok') return errorOf('amount')
    return isTyping && !isRefusalShown ? undefined : amountRefusal(reading.code, t)
  }
  const isReady = offered.some(({ is_test }) => !is_test)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (reading.kind === 'no') {
      showRefusal(true)
      return
    }
    if (wallet === null) {
      askForWallet(true)
      return
    }
    rememberWallet(offered.find(({ id }) => id === wallet))
    start.send({ amount: reading.amount, external_order_id: order.trim(), wallet })
  }
  const isFieldProblem = ['amount', 'external_order_id', 'wallet'].some((attr) => errorOf(attr) !== undefined)
  return (
    <Page title={t('sale.title')}>
      <BackTo href="/counter" name={t('counter.back')} />
      <form onSubmit={send} className={classes.sale}>
        <Stack gap="md">
          <TextInput
            size="xl"
            label={t('field.amount')}
            // The keypad below types, so the phone's own keyboard is not shown.
            inputMode="none"
            dir="ltr"
            autoComplete="off"
            classNames={{ input: classes.amountInput ?? '' }}
            value={shown}
            onBlur={() => setTyping(false)}
            onChange={(event) => change(event.currentTarget.value, (event.nativeEvent as InputEvent).inputType)}
            error={amountProblem()}
          />
          <div className={classes.keypad}>
            {keys.map((keyName) => (
              <button
                key={keyName}
                type="button"
                className={classes.key}
                aria-label={keyName === 'back' ? t('sale.back') : undefined}
                onClick={() => setTyped((text) => press(text, keyName))}
              >
                {keyName === 'back' ? <IconBackspace size={24} aria-hidden /> : inDigits(keyName, language)}
              </button>
            ))}
          </div>
        </Stack>
        <Stack gap="md">
          {offered.length > 0 && (
            <WalletRow
              label={t('field.wallet')}
              wallets={offered}
              chosen={wallet}
              choose={choose}
              error={errorOf('wallet') ?? (isWalletAsked && wallet === null ? t('sale.chooseFirst') : undefined)}
            />
          )}
          <TextInput
            size="md"
            label={t('sale.order')}
            dir="auto"
            maxLength={128}
            autoComplete="off"
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value)}
            error={errorOf('external_order_id')}
          />
          {wallet !== null && <NothingReceived offered={offered} chosen={[wallet]} />}
          {isLoaded && !isReady && (
            <Alert color="yellow">{t(offered.length === 0 ? 'newCheckout.noWallet' : 'newCheckout.onlyTest')}</Alert>
          )}
          {start.waitsForLine && (
            <p className={classes.loud} role="status">
              {t('sale.waitsForLine')}
            </p>
          )}
          {start.error !== null && !isFieldProblem && <Problem problem={start.error} />}
          <Button
            type="submit"
            size="lg"
            fullWidth
            className={saleClasses.go ?? ''}
            disabled={isEmpty || offered.length === 0}
            loading={start.isPending}
          >
            {t('sale.go')}
          </Button>
        </Stack>
      </form>
    </Page>
  )
}
