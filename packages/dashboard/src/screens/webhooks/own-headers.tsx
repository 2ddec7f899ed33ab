/** The headers that are sent with every event: existing ones by name, and new ones. */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { type HeaderRow, withEmptyRow } from './header-changes.ts'

export const OwnHeaders = ({
  rows,
  setRows,
  error,
}: {
  rows: readonly HeaderRow[]
  setRows: (rows: readonly HeaderRow[]) => void
  error: string | undefined
}) => {
  const { t } = useWords(webhooksWords)
  const changeRow = (key: number, change: Partial<HeaderRow>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <Input.Wrapper
      component="fieldset"
      aria-label={t('webhooks.headers')}
      label={t('webhooks.headers')}
      labelElement="div"
      style={{ border: 0, margin: 0, padding: 0 }}
      description={t('webhooks.headersLead')}
      error={error}
    >
      <Stack gap={8} mt={8}>
        {rows.map(({ key, name, value, existing }) => (
          <Group key={key} gap={8} wrap="nowrap">
            <TextInput
              aria-label={t('webhooks.headerName')}
              placeholder="X-Shop-Key"
              dir="ltr"
              flex={1}
              maxLength={100}
              readOnly={existing}
              value={name}
              onChange={(event) => changeRow(key, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('webhooks.headerValue')}
              placeholder={t(existing ? 'webhooks.headerKept' : 'webhooks.headerValue')}
              dir="ltr"
              flex={1}
              maxLength={1024}
              autoComplete="off"
              value={value}
              onChange={(event) => changeRow(key, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={t('webhooks.headerRemove', { name })}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setRows(withEmptyRow(rows))}
        >
          {t('webhooks.headerAdd')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
