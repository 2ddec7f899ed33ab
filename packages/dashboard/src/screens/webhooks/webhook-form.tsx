/** An endpoint to add or to change: where, of which wallet, of what. */
import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import type { Answer } from '../../api/call.ts'
import { Modal, Select } from '../../parts/later.tsx'
import { fieldProblem, Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import { type EventKind, eventKinds, type Webhook } from './webhook.ts'

type Given = {
  readonly webhook: Webhook | undefined
  readonly made?: (answer: Answer<'createWebhook'>) => void
  readonly changed?: (answer: Answer<'changeWebhook'>) => void
  readonly done: () => void
}

export const WebhookForm = ({ webhook, made, changed, done }: Given) => {
  const { t } = useWords()
  const wallets = useAsk('listWallets', { kinds: ['wallet'] })
  const create = useChange('createWebhook', ['webhook'])
  const change = useChange('changeWebhook', ['webhook'])
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [wallet, setWallet] = useState<string | null>(webhook?.wallet ?? null)
  const [kinds, setKinds] = useState<EventKind[]>(webhook?.kinds ?? ['payment.verified', 'payment.received'])
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const doing = webhook === undefined ? create : change
  const problem = doing.error
  const wrong = (attr: string) => fieldProblem(problem, attr, t)

  const send = (event: FormEvent): void => {
    event.preventDefault()
    const body = { url, wallet, kinds, enabled }
    if (webhook === undefined) create.mutate({ body }, { onSuccess: (answer) => made?.(answer) })
    else change.mutate({ path: { id: webhook.id }, body }, { onSuccess: (answer) => changed?.(answer) })
  }

  return (
    <Modal opened onClose={done} title={t(webhook === undefined ? 'webhooks.new' : 'part.change')}>
      <form onSubmit={send}>
        <Stack>
          {problem !== null && !['url', 'wallet', 'kinds'].some(wrong) && <Trouble problem={problem} />}
          <TextInput
            label={t('webhooks.url')}
            description={t('webhooks.urlLead')}
            type="url"
            dir="ltr"
            required
            maxLength={2048}
            data-autofocus
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={wrong('url')}
          />
          <Checkbox.Group
            label={t('webhooks.kinds')}
            value={kinds}
            onChange={(chosen) => setKinds(chosen as EventKind[])}
            error={wrong('kinds')}
          >
            <Stack gap={8} mt={8}>
              {eventKinds.map((kind) => (
                <Checkbox key={kind} value={kind} label={t(`webhooks.kind.${kind}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={t('webhooks.wallet')}
            placeholder={t('webhooks.allWallets')}
            clearable
            data={(wallets.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={wallet}
            onChange={setWallet}
            error={wrong('wallet')}
          />
          {webhook !== undefined && (
            <Switch
              label={t('webhooks.enabled')}
              checked={enabled}
              onChange={(event) => setEnabled(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" loading={doing.isPending}>
              {t('part.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
