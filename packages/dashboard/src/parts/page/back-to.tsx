/** The link from the page of one thing back to its list. */
import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'wouter'

/** It is moved up, close below the page title. `inRow`: it is not moved, because the row that contains it is moved up. */
export const BackTo = ({ href, name, inRow = false }: { href: string; name: string; inRow?: boolean }) => (
  <div style={inRow ? undefined : { marginTop: -16 }}>
    <Anchor
      component={Link}
      href={href}
      style={{ display: 'inline-flex', gap: 4, alignItems: 'center', minHeight: 32 }}
    >
      <span className="mirrored">
        <IconArrowLeft size={16} aria-hidden />
      </span>
      {name}
    </Anchor>
  </div>
)
