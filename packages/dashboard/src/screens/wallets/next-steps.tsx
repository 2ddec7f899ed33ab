/**
 * The steps after a new wallet is saved: choose the phone that gets its messages (an existing or a new one), then test it. If
 * the provider's messages carry no reference, unique amounts are suggested and can be set here.
 */
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { AskContact } from '../checkouts/shop-contact.tsx'
import { SuggestedAmounts } from './suggested-amounts.tsx'
import { UniqueAmounts } from './unique-amounts.tsx'

type Wallet = Answer<'createWallet'>

type Props = { readonly wallet: Wallet; readonly changed: (wallet: Wallet) => void; readonly close: () => void }

export const NextSteps = ({ wallet, changed, close }: Props) => {
  const { t } = useWords(walletsWords)
  const [phone] = wallet.phones
  const [showsAmounts, setShowsAmounts] = useState(false)
  return (
    <Stack>
      <Alert color="green" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
        {t(phone === undefined ? 'wallets.saved' : 'wallets.savedWithPhone', {
          wallet: wallet.name,
          phone: phone?.name ?? '',
        })}
      </Alert>
      {phone === undefined ? (
        <ChoosePhone wallet={wallet} changed={changed} />
      ) : (
        <>
          <Title order={3}>{t('wallets.stepTest')}</Title>
          <Text>{t('wallets.stepTestLead')}</Text>
          <Button component={Link} href={`/phones/${phone.id}`}>
            {t('wallets.test.go')}
          </Button>
        </>
      )}
      {wallet.account_number !== '' && (
        <Text>
          <Proof number={wallet.account_number} />
        </Text>
      )}
      {showsAmounts ? (
        <UniqueAmounts wallet={wallet} />
      ) : (
        <SuggestedAmounts wallet={wallet} open={() => setShowsAmounts(true)} />
      )}
      <AskContact />
      <Button variant="default" onClick={close}>
        {t('wallets.later')}
      </Button>
    </Stack>
  )
}

/** The rule of the company finds a wrong digit only sometimes: one riyal that arrives proves the number. */
const Proof = ({ number }: { number: string }) => {
  const { t } = useWords(walletsWords)
  const [before, after] = t('wallets.proof', { account: '\0' }).split('\0')
  return (
    <>
      {before}
      <bdi dir="ltr">{number}</bdi>
      {after}
    </>
  )
}

const ChoosePhone = ({ wallet, changed }: Omit<Props, 'close'>) => {
  const { t } = useWords(walletsWords)
  const { may } = useMe()
  const phones = useApi('listPhones', { kinds: ['phone'] })
  const bind = useApiMutation('changeWallet', ['wallet', 'phone'])
  const choose = (phone: string): void =>
    bind.mutate({ path: { id: wallet.id }, body: { phones: [{ phone, sim_slot: '' }] } }, { onSuccess: changed })
  return (
    <>
      <Title order={3}>{t('wallets.stepPhone')}</Title>
      <Text>{t('wallets.stepPhoneLead')}</Text>
      {bind.error !== null && <Problem problem={bind.error} />}
      {phones.isError && <Problem problem={phones.error} retry={() => void phones.refetch()} />}
      {phones.isPending && <Loading rows={2} />}
      {phones.data?.results.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          loading={bind.isPending && bind.variables.body?.phones?.[0]?.phone === id}
          onClick={() => choose(id)}
        >
          {t('wallets.usePhone', { phone: name })}
        </Button>
      ))}
      {may('phones.secrets') ? (
        <Button
          component={Link}
          href={`/phones?new=1&wallet=${wallet.id}`}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {t('wallets.newPhone')}
        </Button>
      ) : (
        <Text c="dimmed">{t('wallets.newPhoneOwner')}</Text>
      )}
    </>
  )
}
