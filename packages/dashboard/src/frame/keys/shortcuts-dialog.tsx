/** The list of keys, for the screens that the user's role allows. */
import { Group, Kbd, Stack, Text } from '@mantine/core'
import { Modal } from '../../parts/form/lazy-overlays.tsx'
import { useWords } from '../../words/language.ts'
import { shortcutsWords } from '../../words/shortcuts.ts'
import { shortcuts } from './shortcut.ts'

const ShortcutsDialog = ({ paths, close }: { paths: readonly string[]; close: () => void }) => {
  const { t } = useWords(shortcutsWords)
  const rows: readonly (readonly [keys: readonly string[], name: string])[] = [
    ...(paths.includes('/unmatched') ? [[['/'], t('shortcuts.search')] as const] : []),
    ...shortcuts
      .filter(({ path }) => paths.includes(path === '/counter/new' ? '/counter' : path))
      .map(({ keys, path }) => [keys, t(`shortcuts.open.${path}`)] as const),
    [['Esc'], t('shortcuts.close')],
    [['?'], t('shortcuts.list')],
  ]
  return (
    <Modal opened onClose={close} title={t('shortcuts.title')} closeButtonProps={{ 'aria-label': t('part.close') }}>
      <Stack gap="sm">
        {rows.map(([keys, name]) => (
          <Group key={name} justify="space-between" wrap="nowrap">
            <Text size="sm">{name}</Text>
            <Group gap={4} wrap="nowrap" dir="ltr">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
        <Text size="xs" c="dimmed">
          {t('shortcuts.lead')}
        </Text>
      </Stack>
    </Modal>
  )
}

export default ShortcutsDialog
