/** The phones of a wallet in its form, one row each, with the SIM that receives the wallet's messages. */
import { ActionIcon, Box, Button, Group, Input, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { Select } from '../../parts/form/select.tsx'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { walletsWords } from '../../words/screens/wallets.ts'

/** `row`: a key that is stable while the form is open. */
export type PhoneRow = {
  readonly row: number
  readonly phone: string | null
  readonly sim_slot: '' | 'SIM1' | 'SIM2'
}

const mostPhones = 5

type Props = {
  readonly rows: readonly PhoneRow[]
  readonly phones: readonly { readonly id: string; readonly name: string }[]
  readonly change: (rows: PhoneRow[]) => void
  readonly errorOf: (attr: string) => string | undefined
}

export const PhoneRows = ({ rows, phones, change, errorOf }: Props) => {
  const { t } = useWords(phonesWords, walletsWords)
  const set = (index: number, changed: Partial<PhoneRow>): void =>
    change(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  const taken = rows.map(({ phone }) => phone)
  const mayAdd = rows.length < mostPhones && !taken.includes(null) && phones.length > rows.length
  return (
    <Input.Wrapper
      component="fieldset"
      label={t('frame.phones')}
      labelElement="div"
      aria-label={t('frame.phones')}
      description={t('wallets.phonesLead')}
      error={errorOf('phones.non_field_errors')}
      styles={{
        root: { border: 0, margin: 0, padding: 0, minWidth: 0 },
        label: { padding: 0 },
        description: { marginBottom: 4 },
      }}
    >
      <Stack gap="xs">
        {rows.map((row, index) => {
          // Rows without a phone are not sent: the index in an error of the server counts only the others.
          const sentIndex = rows.slice(0, index).filter(({ phone }) => phone !== null).length
          const rowError = (name: 'phone' | 'sim_slot') =>
            errorOf(`phones.${sentIndex}.${name}`) ?? (sentIndex === 0 ? errorOf(name) : undefined)
          return (
            <Group key={row.row} gap="xs" wrap="nowrap" align="flex-start">
              <Box style={{ flex: 3, minWidth: 0 }}>
                <Select
                  aria-label={t('wallets.phoneNumber', { n: index + 1 })}
                  placeholder={t('wallets.noPhone')}
                  clearable={rows.length === 1}
                  data={phones
                    .filter(({ id }) => id === row.phone || !taken.includes(id))
                    .map(({ id, name }) => ({ value: id, label: name }))}
                  value={row.phone}
                  onChange={(phone) => set(index, { phone })}
                  error={rowError('phone')}
                />
              </Box>
              <Box style={{ flex: 2, minWidth: 0 }}>
                <Select
                  aria-label={t('wallets.simNumber', { n: index + 1 })}
                  data={[
                    { value: '', label: t('wallets.simAny') },
                    { value: 'SIM1', label: 'SIM 1' },
                    { value: 'SIM2', label: 'SIM 2' },
                  ]}
                  value={row.sim_slot}
                  onChange={(slot) => set(index, { sim_slot: (slot ?? '') as PhoneRow['sim_slot'] })}
                  error={rowError('sim_slot')}
                />
              </Box>
              {rows.length > 1 && (
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={t('wallets.removePhone')}
                  onClick={() => change(rows.filter((_, at) => at !== index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          )
        })}
        {mayAdd && (
          <Button
            variant="default"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change([...rows, { row: (rows.at(-1)?.row ?? 0) + 1, phone: null, sim_slot: '' }])}
          >
            {t('act.addPhone')}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
