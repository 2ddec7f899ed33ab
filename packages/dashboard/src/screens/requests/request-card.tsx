/** One request: what was asked for and by whom. A manager or an owner confirms or refuses it; who asked may withdraw it. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { isZero } from '../../parts/format/amounts.ts'
import { Moment, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { userName } from '../../parts/format/user-name.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'

const changed = ['request', 'alert', 'intent', 'checkout'] as const

export type ShownRequest = Answer<'showRequest'>

export const RequestCard = ({ request }: { request: ShownRequest }) => {
  const { t, language } = useWords(requestsWords, unmatchedWords)
  const { may } = useMe()
  const confirm = useApiMutation('confirmRequest', changed)
  const refuse = useApiMutation('refuseRequest', changed)
  const withdraw = useApiMutation('withdrawRequest', changed)
  const [reason, setReason] = useState<string>()
  const path = { id: request.id }
  const problem = confirm.error ?? refuse.error ?? withdraw.error
  const isBusy = confirm.isPending || refuse.isPending || withdraw.isPending
  const isOpen = request.state === 'open'
  const money = (amount: string): string => moneyText(amount, request.currency, language)
  const order = orderText({ code: request.payment, external_order_id: request.order }, t)
  const title = t(`requests.act.${request.act}`, { amount: money(request.amount), order })
  const sendRefusal = (): void => refuse.mutate({ path, body: { reason: reason ?? '' } })
  return (
    <Stack gap="xs" component="article" aria-label={title}>
      <Text fw={600} className="named">
        {title}
      </Text>
      {!isZero(request.short) && <Text>{t('requests.short', { short: money(request.short) })}</Text>}
      <Quiet>
        <bdi>{t('requests.askedBy', { by: userName(request.asked_by) })}</bdi> · <When at={request.asked_at} />{' '}
        {isOpen ? (
          <>
            · {t('request.until')} <Moment at={request.expires_at} />
          </>
        ) : (
          <>
            · {t(`requests.state.${request.state}`)}
            {request.decided_by !== '' && <> {t('request.decidedBy', { by: userName(request.decided_by) })}</>}
          </>
        )}
      </Quiet>
      {request.reason !== '' && <bdi>{request.reason}</bdi>}
      {problem !== null && <Problem problem={problem} />}
      {isOpen && !request.own && may('requests.decide') && (
        <>
          {!request.may_confirm && <Text size="sm">{t('requests.forOwner')}</Text>}
          {reason !== undefined && (
            <TextInput label={t('requests.why')} maxLength={300} {...bindText(reason, setReason)} />
          )}
          <Group gap="xs">
            {request.may_confirm && (
              <Button loading={confirm.isPending} disabled={isBusy} onClick={() => confirm.mutate({ path })}>
                {t('act.confirm')}
              </Button>
            )}
            <Button
              variant="default"
              loading={refuse.isPending}
              disabled={isBusy}
              onClick={() => (reason === undefined ? setReason('') : sendRefusal())}
            >
              {t('requests.refuse')}
            </Button>
          </Group>
        </>
      )}
      {isOpen && request.own && (
        <Group gap="xs">
          <Text c="dimmed">{t('requests.waiting')}</Text>
          <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate({ path })}>
            {t('act.withdraw')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
