/** The form of an endpoint: URL, wallet, events, and own headers. */
import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText, bindTick } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Code } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { duplicateName, type HeaderRow, headerChanges, rowsOf } from './header-changes.ts'
import { OwnHeaders } from './own-headers.tsx'
import { type EventKind, eventKinds, type Webhook } from './webhook.ts'

type Props = {
  readonly webhook: Webhook | undefined
  readonly onSuccess?: (answer: Answer<'createWebhook'>) => void
  readonly changed?: (answer: Answer<'changeWebhook'>) => void
  readonly close: () => void
}

export const WebhookForm = ({ webhook, onSuccess, changed, close }: Props) => {
  const { t } = useWords(noticesWords, webhooksWords)
  const { may } = useMe()
  // A user who changes the URL can read the values of the headers. So only the owner may change either of them.
  const mayChangeUrl = may('webhooks.secrets')
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const create = useApiMutation('createWebhook', ['webhook'])
  const change = useApiMutation('changeWebhook', ['webhook'])
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [wallet, setWallet] = useState<string | null>(webhook?.wallet ?? null)
  const [kinds, setKinds] = useState<EventKind[]>(webhook?.kinds ?? ['payment.verified', 'payment.received'])
  const [headers, setHeaders] = useState<readonly HeaderRow[]>(rowsOf(webhook?.header_names ?? []))
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const mutation = webhook === undefined ? create : change
  const errorOf = (attr: string) => fieldProblem(mutation.error, attr, t)

  const duplicate = duplicateName(headers)
  const headersWrong = duplicate === undefined ? errorOf('headers') : t('webhooks.headerTwice', { name: duplicate })

  const send = (): void => {
    const changes = headerChanges(webhook?.header_names ?? [], headers)
    const body = { url, wallet, kinds, enabled, ...(mayChangeUrl && changes && { headers: changes }) }
    if (webhook === undefined) create.mutate({ body }, { onSuccess: (answer) => onSuccess?.(answer) })
    else change.mutate({ path: { id: webhook.id }, body }, { onSuccess: (answer) => changed?.(answer) })
  }

  return (
    <FormModal
      title={t(webhook === undefined ? 'act.addEndpoint' : 'part.change')}
      submitLabel={t('part.save')}
      call={mutation}
      ready={duplicate === undefined}
      fields={['url', 'wallet', 'kinds', 'headers']}
      send={send}
      close={close}
    >
      <TextInput
        label={t('webhooks.url')}
        description={t(mayChangeUrl ? 'webhooks.urlLead' : 'owner.endpoint')}
        readOnly={!mayChangeUrl}
        variant={mayChangeUrl ? 'default' : 'filled'}
        type="url"
        dir="ltr"
        required
        maxLength={2048}
        data-autofocus
        {...bindText(url, setUrl)}
        error={errorOf('url')}
      />
      <Checkbox.Group
        label={t('webhooks.kinds')}
        value={kinds}
        onChange={(chosen) => setKinds(chosen as EventKind[])}
        error={errorOf('kinds')}
      >
        <Stack gap={8} mt={8}>
          {eventKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`webhooks.kind.${kind}`)} description={<Code>{kind}</Code>} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={t('field.wallet')}
        placeholder={t('field.allWallets')}
        clearable
        data={(wallets.data?.results ?? []).map(({ id, name }) => ({ value: id, label: shippedName(name, t) }))}
        value={wallet}
        onChange={setWallet}
        error={errorOf('wallet')}
      />
      {mayChangeUrl && <OwnHeaders rows={headers} setRows={setHeaders} error={headersWrong} />}
      {webhook !== undefined && <Switch label={t('webhooks.enabled')} {...bindTick(enabled, setEnabled)} />}
    </FormModal>
  )
}
