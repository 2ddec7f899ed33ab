/** The phones of a wallet in the list, each with its SIM and its state. */
import { Stack, Text } from '@mantine/core'
import type { Answer } from '../../api/call.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'

type Phone = Answer<'showWallet'>['phones'][number]

const states = {
  off: 'var(--sanad-wrong)',
  unconnected: 'var(--sanad-pending)',
  silent: 'var(--sanad-pending)',
  well: 'var(--sanad-verified)',
} as const

const stateOf = ({ switched_on, connected, silent }: Phone): keyof typeof states => {
  if (!switched_on) return 'off'
  if (!connected) return 'unconnected'
  return silent ? 'silent' : 'well'
}

export const WalletPhones = ({ phones }: { phones: readonly Phone[] }) => {
  const { t } = useWords(walletsWords)
  if (phones.length === 0) return t('wallets.noPhone')
  return (
    <Stack gap={2}>
      {phones.map((phone) => {
        const state = stateOf(phone)
        return (
          <span key={phone.id}>
            <bdi>{shippedName(phone.name, t)}</bdi>
            {phone.sim_slot !== '' && (
              <>
                {' · '}
                <bdi>{phone.sim_slot}</bdi>
              </>
            )}{' '}
            <Text span size="xs" style={{ color: states[state], whiteSpace: 'nowrap' }}>
              · {t(`wallets.phone.${state}`)}
            </Text>
          </span>
        )
      })}
    </Stack>
  )
}
