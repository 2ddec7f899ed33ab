/**
 * An intent that ended as wrong amount: what arrived and what was asked, and three ways to decide: accept the amount, collect the
 * rest, or nothing.
 */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { voucherWords } from '../../words/voucher.ts'
import { AcceptPaid, Difference } from '../unmatched/accept-paid.tsx'
import { CollectRest } from '../unmatched/collect-rest.tsx'
import { type Outcome, OutcomeContext, OutcomeLine } from '../unmatched/outcome.tsx'
import type { ShownIntent } from './intent.ts'
import classes from './intents.module.css'

export const WrongAmount = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords, voucherWords)
  const { may } = useMe()
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const { alert, spendable, currency } = intent
  const paid = intent.paid_amount ?? spendable
  if (paid === null) return null
  const money = { intent, currency, paid: spendable ?? paid }
  return (
    <div className={classes.wrong}>
      <Difference paid={paid} payable={intent.payable_amount} currency={currency} />
      {outcome !== undefined && <OutcomeLine outcome={outcome} />}
      {outcome === undefined && (
        <Text c="dimmed">{t(spendable === null ? 'intent.wrongOver' : 'intent.wrongLead')}</Text>
      )}
      <OutcomeContext value={setOutcome}>
        <div className={classes.row}>
          {alert !== null && (spendable !== null || outcome === undefined) && (
            <>
              {spendable !== null && <AcceptPaid {...money} alert={alert} />}
              {/* It stays mounted: its dialog with the link is open when the money is already spent. */}
              <CollectRest {...money} alert={alert} hidden={spendable === null} />
              {spendable !== null && may('intents.write') && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => setOutcome({ alert, text: t('nothing.done') })}
                >
                  {t('nothing.go')}
                </Button>
              )}
            </>
          )}
          {alert !== null && may('unmatched.read') && (
            <Button component={Link} href={`/unmatched/${alert.id}`} variant="transparent" size="compact-sm" px={0}>
              {t('intent.wrongMoney')}
            </Button>
          )}
        </div>
      </OutcomeContext>
    </div>
  )
}
