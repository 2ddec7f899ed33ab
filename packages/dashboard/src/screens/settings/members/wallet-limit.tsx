/** Which wallets a member sees: all, or those that are ticked. An owner sees all, so there is nothing to choose. */
import { Checkbox, Radio, Stack } from '@mantine/core'
import type { MemberRole } from '@sanad/contract/kinds'
import { useApi } from '../../../api/use-api.ts'
import { Quiet } from '../../../parts/format/quiet.tsx'
import { walletChoices } from '../../../parts/format/wallet-name.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

/** Null: all. */
export type GivenWallets = string[] | null

export const WalletLimit = ({
  role,
  value,
  choose,
  error,
}: {
  role: MemberRole
  value: GivenWallets
  choose: (wallets: GivenWallets) => void
  error?: string | undefined
}) => {
  const { t } = useWords(settingsWords)
  const list = useApi('listWallets', { kinds: ['wallet'] })
  if (role === 'owner') return <Quiet>{t('members.walletsOwner')}</Quiet>
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('frame.wallets')}
        value={value === null ? 'all' : 'some'}
        onChange={(which) => choose(which === 'all' ? null : [])}
        error={error}
      >
        <Stack gap="sm" mt={8}>
          <Radio value="all" label={t('field.allWallets')} description={t('members.walletsAllLead')} />
          <Radio value="some" label={t('members.walletsSome')} description={t('members.walletsSomeLead')} />
        </Stack>
      </Radio.Group>
      {value !== null && (
        <Checkbox.Group aria-label={t('members.walletsSome')} value={value} onChange={choose}>
          <Stack gap="xs" ps="xl">
            {walletChoices(list.data?.results ?? [], t).map((wallet) => (
              <Checkbox key={wallet.value} value={wallet.value} label={<bdi>{wallet.label}</bdi>} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
