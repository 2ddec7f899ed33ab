/**
 * Unique amounts of a wallet: what they do, what they can and cannot prove, how many messages carry no reference, and the
 * setting, which only an owner changes.
 */
import { Alert, Button, NumberInput, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { useWords } from '../../words/language.ts'
import { amountsWords } from '../../words/screens/amounts.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { type AmountChoice, amountChoices, mostToSend } from './amounts-setting.ts'
import { AmountFigures } from './suggested-amounts.tsx'

type Wallet = Answer<'showWallet'>

export const UniqueAmounts = ({ wallet }: { wallet: Wallet }) => {
  const { t } = useWords(amountsWords, walletsWords)
  const { may } = useMe()
  const change = useApiMutation('setUniqueAmounts', ['wallet'])
  const [choice, setChoice] = useState<AmountChoice>(wallet.unique_amounts)
  const [most, setMost] = useState<number | string>(wallet.unique_amounts_most)
  const [isRefusalShown, showRefusal] = useState(false)
  const sent = mostToSend(choice, most, wallet.unique_amounts_most)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    showRefusal(sent === undefined)
    if (sent === undefined) change.reset()
    else change.mutate({ path: { id: wallet.id }, body: { unique_amounts: choice, unique_amounts_most: sent } })
  }
  const hasField = choice !== 'off'
  const serverError = hasField ? fieldProblem(change.error, 'unique_amounts_most', t) : undefined
  const fieldError = isRefusalShown && sent === undefined ? t('amounts.mostRefused') : serverError
  return (
    <form onSubmit={send} aria-label={t('amounts.title')}>
      <Stack>
        <Title order={3}>{t('amounts.title')}</Title>
        <Text size="sm">{t('amounts.lead')}</Text>
        <Text size="sm">{t('amounts.proves')}</Text>
        <Text size="sm">{t('amounts.cannot')}</Text>
        <AmountFigures id={wallet.id} />
        {change.error !== null && serverError === undefined && <Problem problem={change.error} />}
        <Select
          label={t('amounts.state')}
          disabled={!may('wallets.amounts')}
          data={amountChoices.map((value) => ({ value, label: t(`amounts.${value}`) }))}
          value={choice}
          onChange={(value) => {
            setChoice((value ?? 'off') as AmountChoice)
            change.reset()
          }}
        />
        {hasField && (
          <NumberInput
            label={t('amounts.most')}
            description={t('amounts.mostLead')}
            min={1}
            max={99}
            allowDecimal={false}
            disabled={!may('wallets.amounts')}
            value={most}
            onChange={setMost}
            error={fieldError}
          />
        )}
        {change.isSuccess && (
          <Alert color="green" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
            {t('amounts.saved')}
          </Alert>
        )}
        {may('wallets.amounts') ? (
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('amounts.save')}
          </Button>
        ) : (
          <Quiet>{t('amounts.owner')}</Quiet>
        )}
      </Stack>
    </form>
  )
}
