/** API keys: create, rotate, revoke. A secret is shown once. */
import { Badge, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ShownOnce } from '../../parts/form/shown-once.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Code, When } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { keysWords } from '../../words/screens/keys.ts'
import { type Key, KeyForm } from './key-form.tsx'

type OpenDialog = { readonly action: 'change' | 'rotate' | 'revoke'; readonly key: Key }
type CreatedKey = Answer<'createKey'>

const Keys = () => {
  const { t, language } = useWords(keysWords)
  const { may } = useMe()
  const now = useNow()
  const list = usePagedList('listKeys', { kinds: ['key'] })
  const [isCreating, setCreating] = useState(false)
  const [dialog, setDialog] = useState<OpenDialog | undefined>(undefined)
  const [created, setCreated] = useState<CreatedKey | undefined>(undefined)

  const state = (key: Key): string => {
    if (key.revoked_at !== null) return t('keys.revoked', { when: relativeTime(key.revoked_at, now, language) })
    if (key.overlap_until !== null) return t('keys.overlap', { when: relativeTime(key.overlap_until, now, language) })
    return t('keys.works')
  }
  const columns: Column<Key>[] = [
    {
      head: t('field.name'),
      cell: (key) => (
        <Group gap={6}>
          <bdi>{key.name}</bdi>
          <KeyLimits apiKey={key} />
        </Group>
      ),
    },
    { head: t('keys.clientId'), cell: ({ client_id }) => <Code>{client_id}</Code>, whole: true },
    { head: t('field.state'), cell: state },
    {
      head: t('field.lastUsed'),
      cell: (key) => <LastUse apiKey={key} />,
    },
    { head: t('field.created'), cell: ({ created_at }) => <When at={created_at} />, whole: true },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      blank: (key) => key.revoked_at !== null || !may('keys.write'),
      cell: (key) =>
        key.revoked_at === null && may('keys.write') ? (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Button variant="subtle" size="compact-sm" onClick={() => setDialog({ action: 'change', key })}>
              {t('part.change')}
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => setDialog({ action: 'rotate', key })}>
              {t('act.newSecret')}
            </Button>
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setDialog({ action: 'revoke', key })}>
              {t('keys.revoke')}
            </Button>
          </Group>
        ) : null,
    },
  ]

  return (
    <Page
      title={t('frame.keys')}
      actions={may('keys.write') && <Button onClick={() => setCreating(true)}>{t('keys.new')}</Button>}
    >
      <Lead>{t('keys.lead')}</Lead>
      <GrowingList
        list={list}
        empty={
          <Empty action={may('keys.write') && <Button onClick={() => setCreating(true)}>{t('keys.new')}</Button>}>
            {t('keys.none')}
          </Empty>
        }
      >
        {(rows) => <Rows label={t('frame.keys')} rows={rows} columns={columns} keyOf={(key) => key.client_id} />}
      </GrowingList>
      {isCreating && (
        <NewKey
          onSuccess={(answer) => {
            setCreating(false)
            setCreated(answer)
          }}
          close={() => setCreating(false)}
        />
      )}
      {dialog?.action === 'change' && <ChangeKey apiKey={dialog.key} close={() => setDialog(undefined)} />}
      {dialog?.action === 'rotate' && (
        <Rotate
          apiKey={dialog.key}
          onSuccess={(answer) => {
            setDialog(undefined)
            setCreated(answer)
          }}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog?.action === 'revoke' && <Revoke apiKey={dialog.key} close={() => setDialog(undefined)} />}
      {created !== undefined && (
        <ShownOnce
          title={t('keys.made')}
          secrets={[
            { label: t('keys.clientId'), value: created.key.client_id },
            { label: t('keys.secret'), value: created.client_secret },
          ]}
          close={() => setCreated(undefined)}
        />
      )}
    </Page>
  )
}

export default Keys

/** What the key may not do, each as a mark. */
const KeyLimits = ({ apiKey }: { apiKey: Key }) => {
  const { t } = useWords(keysWords)
  const { test, read_only, wallets, addresses } = apiKey
  return (
    <>
      {test && <Badge color="yellow">{t('keys.test')}</Badge>}
      {read_only && <Badge variant="light">{t('keys.readOnly')}</Badge>}
      {wallets !== null && <Badge variant="light">{t('keys.walletsMark', { count: wallets.length })}</Badge>}
      {addresses !== null && (
        <Badge variant="light" title={addresses.join(', ')}>
          {t('keys.addressesMark', { count: addresses.length })}
        </Badge>
      )}
    </>
  )
}

const LastUse = ({ apiKey }: { apiKey: Key }) => {
  const { t } = useWords(keysWords)
  const { last_used_at: at, last_address: address, calls_today: calls } = apiKey
  if (at === null) return <>{t('keys.never')}</>
  return (
    <>
      <When at={at} />
      <Text size="xs" c="dimmed">
        {address !== null && (
          <>
            <bdi dir="ltr">{address}</bdi> ·{' '}
          </>
        )}
        {t('keys.calls', { count: calls })}
      </Text>
    </>
  )
}

const NewKey = ({ onSuccess, close }: { onSuccess: (answer: CreatedKey) => void; close: () => void }) => {
  const create = useApiMutation('createKey', ['key'])
  return <KeyForm call={create} send={(body) => create.mutate({ body }, { onSuccess })} close={close} />
}

const ChangeKey = ({ apiKey, close }: { apiKey: Key; close: () => void }) => {
  const change = useApiMutation('changeKey', ['key'])
  return (
    <KeyForm
      apiKey={apiKey}
      call={change}
      send={({ test: _, ...body }) => change.mutate({ path: { id: apiKey.client_id }, body }, { onSuccess: close })}
      close={close}
    />
  )
}

const Rotate = ({
  apiKey,
  onSuccess,
  close,
}: {
  apiKey: Key
  onSuccess: (answer: CreatedKey) => void
  close: () => void
}) => {
  const { t } = useWords(keysWords)
  const rotate = useApiMutation('rotateKey', ['key'])
  const [overlap, setOverlap] = useState('3600')
  return (
    <Confirm
      title={t('keys.rotateTitle', { name: apiKey.name })}
      submitLabel={t('act.newSecret')}
      call={rotate}
      no={close}
      yes={() => rotate.mutate({ path: { id: apiKey.client_id }, body: { overlap_s: Number(overlap) } }, { onSuccess })}
    >
      <Text id="overlap">{t('keys.rotateLead')}</Text>
      <SegmentedControl
        aria-labelledby="overlap"
        orientation="vertical"
        data={[
          { value: '0', label: t('keys.overlap0') },
          { value: '3600', label: t('keys.overlap1') },
          { value: '86400', label: t('keys.overlap24') },
        ]}
        value={overlap}
        onChange={setOverlap}
      />
    </Confirm>
  )
}

const Revoke = ({ apiKey, close }: { apiKey: Key; close: () => void }) => {
  const { t } = useWords(keysWords)
  const revoke = useApiMutation('revokeKey', ['key'])
  return (
    <Confirm
      title={t('keys.revokeTitle', { name: apiKey.name })}
      submitLabel={t('keys.revoke')}
      danger
      call={revoke}
      no={close}
      yes={() => revoke.mutate({ path: { id: apiKey.client_id } }, { onSuccess: close })}
    >
      <Text>{t('keys.revokeSure')}</Text>
    </Confirm>
  )
}
