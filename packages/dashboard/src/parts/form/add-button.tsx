/** The button that begins a new record. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'

export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
    {label}
  </Button>
)
