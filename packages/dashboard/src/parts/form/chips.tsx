/** A field for choosing any number of a few options. Each option is a chip that is switched on or off. */
import { Chip, Group } from '@mantine/core'

export const Chips = (props: {
  /** What the options are, for screen readers. */
  label: string
  options: readonly { readonly value: string; readonly label: string }[]
  value: string[]
  onChange: (value: string[]) => void
  className?: string | undefined
}) => (
  <Chip.Group multiple value={props.value} onChange={props.onChange}>
    <Group gap={6} role="group" aria-label={props.label} className={props.className}>
      {props.options.map(({ value, label }) => (
        <Chip key={value} value={value} size="xs" radius="sm">
          {label}
        </Chip>
      ))}
    </Group>
  </Chip.Group>
)
