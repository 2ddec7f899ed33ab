/**
 * The form for a new phone: its name (one is suggested), and the wallets whose messages it gets. The wallets are bound to the
 * phone before its code is shown, so that the page on the phone knows their senders.
 */
import { Alert, Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation, usePagedList } from '../../api/use-api.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Pairing, Phone } from './phone.ts'

type Wallet = Answer<'listWallets'>['results'][number]

export type AddedPhone = {
  readonly phone: Phone
  readonly pairing: Pairing
  /** The names of wallets that could not be bound to the phone. */
  readonly unbound: readonly string[]
}

/** All phones of the wallet, and this one. */
const withPhone = (wallet: Wallet, phone: string) => ({
  phones: [...wallet.phones.map(({ id, sim_slot }) => ({ phone: id, sim_slot })), { phone, sim_slot: '' as const }],
})

/** “Shop phone”; a second phone gets a number. */
const suggestedName = (base: string, phones: readonly { readonly name: string }[]): string => {
  const taken = new Set(phones.map(({ name }) => name))
  const numbered = Array.from({ length: phones.length }, (_, index) => `${base} ${index + 2}`)
  return [base, ...numbered].find((name) => !taken.has(name)) ?? base
}

export const AddPhone = (props: {
  /** A wallet that is chosen from the start. */
  wallet?: string | undefined
  added: (phone: AddedPhone) => void
  close: () => void
}) => {
  const { t, language } = useWords(phonesWords)
  const create = useApiMutation('createPhone', ['phone'])
  const bind = useApiMutation('changeWallet', ['phone', 'wallet'])
  const wallets = usePagedList('listWallets', { kinds: ['wallet'] })
  const phones = useApi('listPhones', { kinds: ['phone'] })
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const name = typed ?? suggestedName(t('phones.usualName'), phones.data?.results ?? [])
  const [chosen, setChosen] = useState<readonly string[]>(props.wallet === undefined ? [] : [props.wallet])
  const [binding, setBinding] = useState(false)
  const offered = (wallets.rows ?? []).filter(({ is_test, active }) => active && !is_test)

  const bindAll = async (phone: Phone): Promise<string[]> => {
    const unbound: string[] = []
    for (const wallet of offered.filter(({ id }) => chosen.includes(id)))
      await bind
        .mutateAsync({ path: { id: wallet.id }, body: withPhone(wallet, phone.id) })
        .catch(() => unbound.push(wallet.name))
    return unbound
  }
  const send = (): void =>
    create.mutate(
      { body: { name } },
      {
        onSuccess: ({ phone, pairing }) => {
          setBinding(true)
          void bindAll(phone).then((unbound) => props.added({ phone, pairing, unbound }))
        },
      },
    )
  return (
    <FormModal
      title={t('act.addPhone')}
      submitLabel={t('act.addPhone')}
      call={{ isPending: create.isPending || binding, error: create.error }}
      fields={['name']}
      send={send}
      close={props.close}
    >
      <TextInput
        label={t('field.name')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        value={name}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={fieldProblem(create.error, 'name', t)}
      />
      {offered.length === 0 ? (
        wallets.rows !== undefined && <Alert color="gray">{t('phones.walletsNone')}</Alert>
      ) : (
        <Checkbox.Group
          label={t('phones.walletsOf')}
          description={t('phones.walletsOfLead')}
          value={[...chosen]}
          onChange={setChosen}
        >
          <Stack gap="xs" mt="xs">
            {offered.map((wallet) => (
              <Checkbox
                key={wallet.id}
                value={wallet.id}
                label={
                  <>
                    <bdi>{wallet.name}</bdi> · <bdi>{providerName(wallet.provider, language)}</bdi>
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </FormModal>
  )
}
