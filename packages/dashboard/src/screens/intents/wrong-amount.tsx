/** An intent that ended as wrong amount: what arrived and what was expected, and what can be done with the money. */
import { Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { AcceptPaid, Difference } from '../unmatched/accept-paid.tsx'
import { Dismiss } from '../unmatched/alert-actions.tsx'
import { type Outcome, OutcomeContext, OutcomeLine } from '../unmatched/outcome.tsx'
import type { ShownIntent } from './intent.ts'
import classes from './intents.module.css'

export const WrongAmount = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords)
  const { may } = useMe()
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const { alert, spendable, currency } = intent
  const paid = intent.paid_amount ?? spendable
  if (paid === null) return null
  return (
    <Card>
      <div className={classes.wrong}>
        <Title order={2}>{t('intent.wrong')}</Title>
        <Difference paid={paid} payable={intent.payable_amount} currency={currency} />
        {outcome !== undefined && <OutcomeLine outcome={outcome} />}
        {outcome === undefined && (
          <Text c="dimmed">{t(spendable === null ? 'intent.wrongOver' : 'intent.wrongLead')}</Text>
        )}
        <OutcomeContext value={setOutcome}>
          <div className={classes.row}>
            {spendable !== null && alert !== null && (
              <>
                <AcceptPaid intent={intent} alert={alert} paid={spendable} currency={currency} />
                {may('unmatched.write') && <Dismiss alert={alert} />}
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
    </Card>
  )
}
