/**
 * A new sale: the amount on a big keypad, an order number if there is one, and the wallet, which this browser remembers. The
 * test wallet is used only if it is chosen, and is never remembered. Then the buyer's page is shown as a QR code.
 */
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { NothingReceived } from '../../parts/format/nothing-received.tsx'
import { amountRefusal } from '../../parts/format/refusal-text.ts'
import { readTypedAmount } from '../../parts/format/typed-amount.ts'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { Page } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { grouped } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { readPreference, savePreference } from '../../words/preferences.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { counterWords } from '../../words/screens/counter.ts'
import classes from './counter.module.css'
import { continueTyping, keys, press } from './keypad.ts'

const preference = 'counter-wallet'

const useWalletChoice = () => {
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const offered = (wallets.data?.results ?? []).filter((wallet) => wallet.offered)
  const [chosen, setChosen] = useState<string | null | undefined>(undefined)
  const remembered = offered.find(({ id, is_test }) => id === readPreference(preference) && !is_test)?.id ?? null
  const choose = (id: string | null): void => {
    setChosen(id)
    if (id === null || offered.some((wallet) => wallet.id === id && !wallet.is_test))
      savePreference(preference, id ?? '')
  }
  return {
    offered,
    isLoaded: wallets.data !== undefined,
    wallet: chosen === undefined ? remembered : chosen,
    choose,
  }
}

export const NewSale = () => {
  const { t, language } = useWords(counterWords, checkoutsWords)
  const [, go] = useLocation()
  const create = useApiMutation('createCheckout', ['checkout'])
  const { offered, isLoaded, wallet, choose } = useWalletChoice()
  const [typed, setTyped] = useState('')
  const [isTyping, setTyping] = useState(false)
  const [isRefusalShown, showRefusal] = useState(false)
  const [order, setOrder] = useState('')
  // The same key while the form is unchanged: a second touch, or one after a lost answer, does not make a second sale.
  const attempt = useRef({ text: '', key: '' })
  const errorOf = (attr: string) => fieldProblem(create.error, attr, t)
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
    const body = {
      amount: reading.amount,
      external_order_id: order.trim(),
      ...(wallet === null ? {} : { wallets: [wallet] }),
    }
    const text = JSON.stringify(body)
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
    create.mutate(
      { headers: { 'SERVICE-IDEMPOTENCY-KEY': attempt.current.key }, body },
      { onSuccess: ({ id }) => go(`/counter/sale/${id}`, { replace: true }) },
    )
  }
  const isFieldProblem = ['amount', 'external_order_id', 'wallets'].some((attr) => errorOf(attr) !== undefined)
  return (
    <Page title={t('sale.title')}>
      <BackTo href="/counter" name={t('counter.back')} />
      <form onSubmit={send} className={classes.sale}>
        <Stack gap="md">
          <TextInput
            size="xl"
            label={t('sale.amount')}
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
          <Select
            size="md"
            label={t('sale.wallet')}
            placeholder={t('sale.allWallets')}
            clearable
            data={walletChoices(offered, t)}
            value={wallet}
            onChange={choose}
            error={errorOf('wallets')}
          />
          <NothingReceived offered={offered} chosen={[wallet]} />
          {isLoaded && !isReady && (
            <Alert color="yellow">{t(offered.length === 0 ? 'newCheckout.noWallet' : 'newCheckout.onlyTest')}</Alert>
          )}
          {create.error !== null && !isFieldProblem && <Problem problem={create.error} />}
          <Button type="submit" size="lg" fullWidth disabled={isEmpty} loading={create.isPending}>
            {t('sale.go')}
          </Button>
        </Stack>
      </form>
    </Page>
  )
}
