/** The dialog of a key: its name and its limits. A new key is live or test; that does not change afterwards. */
import { SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { bindText, bindTick } from '../../parts/form/bind.ts'
import type { CallState } from '../../parts/form/call-state.ts'
import { Chips } from '../../parts/form/chips.tsx'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { TagsInput } from '../../parts/form/lazy-overlays.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { useWords } from '../../words/language.ts'
import { keysWords } from '../../words/screens/keys.ts'

export type Key = Answer<'listKeys'>['results'][number]
export type KeyFields = {
  readonly name: string
  readonly test: boolean
  readonly read_only: boolean
  readonly wallets: string[] | null
  readonly addresses: string[] | null
}

const orNull = (list: string[]): string[] | null => (list.length === 0 ? null : list)

export const KeyForm = (props: {
  /** Undefined: a new key. */
  apiKey?: Key
  call: CallState
  send: (fields: KeyFields) => void
  close: () => void
}) => {
  const { t } = useWords(keysWords)
  const { apiKey } = props
  const list = useApi('listWallets', { kinds: ['wallet'] })
  const [name, setName] = useState(apiKey?.name ?? '')
  const [isTest, setTest] = useState(apiKey?.test ?? false)
  const [readOnly, setReadOnly] = useState(apiKey?.read_only ?? false)
  const [wallets, setWallets] = useState(apiKey?.wallets ?? [])
  const [addresses, setAddresses] = useState(apiKey?.addresses ?? [])
  const choices = walletChoices(
    (list.data?.results ?? []).filter((wallet) => !wallet.is_test),
    t,
  )
  const errorOf = (attr: string) => fieldProblem(props.call.error, attr, t)
  return (
    <FormModal
      title={apiKey === undefined ? t('keys.new') : t('part.change')}
      submitLabel={apiKey === undefined ? t('keys.new') : t('part.save')}
      call={props.call}
      fields={['name', 'wallets', ...addresses.map((_, n) => `addresses.${n}`)]}
      send={() =>
        props.send({
          name,
          test: isTest,
          read_only: readOnly,
          wallets: isTest ? null : orNull(wallets),
          addresses: orNull(addresses),
        })
      }
      close={props.close}
    >
      <TextInput
        label={t('field.name')}
        description={t('keys.nameLead')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        {...bindText(name, setName)}
        error={errorOf('name')}
      />
      {apiKey === undefined && (
        <SegmentedControl
          aria-label={t('keys.mode')}
          data={[
            { value: 'live', label: t('keys.live') },
            { value: 'test', label: t('keys.test') },
          ]}
          value={isTest ? 'test' : 'live'}
          onChange={(mode) => setTest(mode === 'test')}
        />
      )}
      {isTest && <Quiet>{t('keys.testLead')}</Quiet>}
      <Switch label={t('keys.readOnly')} description={t('keys.readOnlyLead')} {...bindTick(readOnly, setReadOnly)} />
      {!isTest && choices.length > 1 && (
        <div>
          <Text size="sm" fw={500}>
            {t('keys.wallets')}
          </Text>
          <Text size="xs" c="dimmed" mb={6}>
            {t('keys.walletsLead')}
          </Text>
          <Chips label={t('keys.wallets')} options={choices} value={wallets} onChange={setWallets} />
          {errorOf('wallets') !== undefined && (
            <Text size="xs" c="red" role="alert">
              {errorOf('wallets')}
            </Text>
          )}
        </div>
      )}
      <TagsInput
        label={t('keys.addresses')}
        description={t('keys.addressesLead')}
        placeholder="203.0.113.7"
        dir="ltr"
        acceptValueOnBlur
        dropdownOpened={false}
        maxTags={20}
        value={addresses}
        onChange={setAddresses}
        error={addresses.map((_, n) => errorOf(`addresses.${n}`)).find((error) => error !== undefined)}
      />
    </FormModal>
  )
}
